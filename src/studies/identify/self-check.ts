// Checks identification on hidden limits in virtual time. Each is named right, named wrong, or undecided.
import { rng, type Rng } from "../../kit/chance/rng.ts";
import { client } from "../../limiter/core/client.ts";
import { decideNow, prepare } from "../../limiter/core/limiter.ts";
import { micros } from "../../kit/units.ts";
import { isNamedBy, type LimitBehaviour } from "./behaviour.ts";
import { numbersText } from "./behaviour-text.ts";
import { behaviourOf } from "./behaviour-of.ts";
import { ASPECTS } from "./counted-by.ts";
import { drawHidden } from "./hidden.ts";
import type { NumberKind } from "./hidden-numbers.ts";
import { specialNumbersText, type SpecialBehaviour } from "./special.ts";
import { Identifier } from "./identify.ts";
import type { IdentifyCaps } from "./prober.ts";
import { createSingleLimit, type LimitConfiguration } from "./model.ts";
import { FIRST_SENDER } from "./target.ts";
import { clientName, createVirtualTarget } from "./virtual-target.ts";

export interface SelfCheckRow {
  readonly index: number;
  readonly numbers: NumberKind;
  readonly hidden: string;
  readonly name: string;
  readonly answer: string;
  readonly result: "right" | "wrong" | "undecided";
  /** Whether several behaviours are named that differ in a detail. */
  readonly isDetailOpen: boolean;
  readonly requests: number;
  readonly seconds: number;
  /** For a right answer: how many aspects were found right, wrong, and not at all. */
  readonly aspects: readonly [right: number, wrong: number, open: number];
}

/** Sent to a thread once, before the indexes of its hidden limits. */
export interface SelfCheckSettings {
  readonly seed: number;
  readonly caps: IdentifyCaps;
}

/** Checks one hidden limit of the seed. Every second hidden limit has unconventional numbers ("odd"). */
export async function checkOne(
  index: number,
  { seed, caps }: SelfCheckSettings,
): Promise<SelfCheckRow> {
  const numbers = index % 2 === 0 ? "round" : "odd";
  const own = Math.floor(index / 2);
  const stream = (purpose: string): Rng =>
    rng(seed, numbers === "round" ? `${purpose}/${own}` : `${purpose}/odd/${own}`);
  const { name, configuration, server, countedBy, network } = drawHidden(stream("hidden"), numbers);
  const target = createVirtualTarget(
    server ?? configuration,
    countedBy,
    network,
    stream("network"),
  );
  const found = await new Identifier(target, caps, own).identify(ASPECTS);
  const truth = server?.truth ?? truthOf(configuration, clientName(countedBy, FIRST_SENDER));
  const { behaviour, special, alike, requests, durationUs } = found;
  const named = special !== null ? [special] : behaviour === null ? [] : [behaviour, ...alike];
  const isRight = named.some((each) => isRightFor(each, truth));
  const result = named.length === 0 ? "undecided" : isRight ? "right" : "wrong";
  const aspects: [number, number, number] = [0, 0, 0];
  if (result === "right")
    for (const aspect of ASPECTS) {
      const seen = found.countedBy[aspect];
      aspects[seen === null ? 2 : seen === countedBy[aspect] ? 0 : 1]++;
    }
  return {
    index,
    numbers,
    hidden: `${name}: ${textOf(truth)}`,
    name: nameOf(truth),
    answer:
      named.length === 0
        ? [found.why, found.seen, ...found.left.map(textOf)].join("; ")
        : named.map(textOf).join(" or "),
    result,
    isDetailOpen: named.length > 1,
    requests,
    seconds: Math.round(durationUs / 1e6),
    aspects,
  };
}

type Named = LimitBehaviour | SpecialBehaviour;

const nameOf = (named: Named): string => ("kind" in named ? named.kind : nameOfLimit(named));

const nameOfLimit = ({ name, second, pauseUs }: LimitBehaviour): string =>
  second !== undefined ? `two of ${name}` : pauseUs !== undefined ? `${name}, pause` : name;

const textOf = (named: Named): string =>
  `${nameOf(named)}, ${"kind" in named ? specialNumbersText(named) : numbersText(named)}`;

function isRightFor(named: Named, truth: Named): boolean {
  if (!("kind" in named) || !("kind" in truth))
    return !("kind" in named) && !("kind" in truth) && isNamedBy(named, truth);
  if (named.kind === "in_flight") return truth.kind === "in_flight" && named.most === truth.most;
  const [least, most] = named.range;
  return truth.kind === "chance" && truth.share >= least && truth.share <= most;
}

/** The true behaviour. Windows that are shifted by a multiple of their length are clock windows. */
function truthOf(configuration: LimitConfiguration, key: string): LimitBehaviour {
  const truth = behaviourOf(configuration);
  const isOfClock = truth.name === "shifted_window" && edgeOf(configuration, key) === 0;
  return isOfClock ? { ...truth, name: "clock_window" } : truth;
}

/** How long after a window of the clock the window of this key begins. */
function edgeOf(configuration: LimitConfiguration, key: string): number {
  const { perUs } = configuration;
  const { limiter, resolved } = createSingleLimit({ ...configuration, rate: 1 });
  const atUs = micros(1_000 * perUs);
  const decide = () =>
    decideNow(limiter, prepare(limiter, resolved, atUs), client(key), atUs, "spend", 1);
  decide();
  return decide().retryAfterUs % perUs;
}
