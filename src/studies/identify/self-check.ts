// Identification, checked on hidden limits in virtual time: named right, named wrong, or undecided.
import { rng, type Rng } from "../../kit/chance/rng.ts";
import { client } from "../../limiter/core/client.ts";
import { decideNow, prepare } from "../../limiter/core/limiter.ts";
import { micros } from "../../kit/units.ts";
import {
  isSameBehaviour,
  numbersText,
  type BehaviourName,
  type LimitBehaviour,
} from "./behaviour.ts";
import { behaviourOf } from "./behaviour-of.ts";
import { ASPECTS } from "./counted-by.ts";
import { drawHidden, type NumberKind } from "./hidden.ts";
import { Identifier } from "./identify.ts";
import type { IdentifyCaps } from "./prober.ts";
import { createSingleLimit, type LimitConfiguration } from "./model.ts";
import { FIRST_SENDER } from "./target.ts";
import { clientName, createVirtualTarget } from "./virtual-target.ts";

export interface SelfCheckRow {
  readonly index: number;
  readonly numbers: NumberKind;
  readonly hidden: string;
  readonly name: BehaviourName;
  readonly answer: string;
  readonly result: "right" | "wrong" | "undecided";
  /** Several are named that differ in a detail. */
  readonly isDetailOpen: boolean;
  readonly requests: number;
  readonly seconds: number;
  /** Of the aspects of a right answer: how many were found right, wrong, and not at all. */
  readonly aspects: readonly [right: number, wrong: number, open: number];
}

/** Sent to a thread once, before the indexes of its hidden limits. */
export interface SelfCheckSettings {
  readonly seed: number;
  readonly caps: IdentifyCaps;
}

/** One hidden limit of the seed: every second one has odd numbers. */
export async function checkOne(
  index: number,
  { seed, caps }: SelfCheckSettings,
): Promise<SelfCheckRow> {
  const numbers = index % 2 === 0 ? "round" : "odd";
  const own = Math.floor(index / 2);
  const stream = (purpose: string): Rng =>
    rng(seed, numbers === "round" ? `${purpose}/${own}` : `${purpose}/odd/${own}`);
  const { name, configuration, countedBy, network } = drawHidden(stream("hidden"), numbers);
  const target = createVirtualTarget(configuration, countedBy, network, stream("network"));
  const found = await new Identifier(target, caps, own).identify(ASPECTS);
  const truth = truthOf(configuration, clientName(countedBy, FIRST_SENDER));
  const { behaviour, alike, requests, durationUs } = found;
  const named = behaviour === null ? [] : [behaviour, ...alike];
  const isRight = named.some((each) => isSameBehaviour(each, truth));
  const result = behaviour === null ? "undecided" : isRight ? "right" : "wrong";
  const aspects: [number, number, number] = [0, 0, 0];
  if (result === "right")
    for (const aspect of ASPECTS) {
      const seen = found.countedBy[aspect];
      aspects[seen === null ? 2 : seen === countedBy[aspect] ? 0 : 1]++;
    }
  return {
    index,
    numbers,
    hidden: `${name}: ${truth.name}, ${numbersText(truth)}`,
    name: truth.name,
    answer:
      behaviour === null
        ? [found.why, ...found.left.map(textOf)].join("; ")
        : named.map(textOf).join(" or "),
    result,
    isDetailOpen: named.length > 1,
    requests,
    seconds: Math.round(durationUs / 1e6),
    aspects,
  };
}

const textOf = (behaviour: LimitBehaviour): string =>
  `${behaviour.name}, ${numbersText(behaviour)}`;

/** Windows after a checksum of the key are those of the clock where it is a multiple of the window. */
function truthOf(configuration: LimitConfiguration, key: string): LimitBehaviour {
  const truth = behaviourOf(configuration);
  const isOfClock = truth.name === "shifted_window" && edgeOf(configuration, key) === 0;
  return isOfClock ? { ...truth, name: "clock_window" } : truth;
}

/** After the start of a window of the clock. */
function edgeOf(configuration: LimitConfiguration, key: string): number {
  const { perUs } = configuration;
  const { limiter, resolved } = createSingleLimit({ ...configuration, rate: 1 });
  const atUs = micros(1_000 * perUs);
  const decide = () =>
    decideNow(limiter, prepare(limiter, resolved, atUs), client(key), atUs, "spend", 1);
  decide();
  return decide().retryAfterUs % perUs;
}
