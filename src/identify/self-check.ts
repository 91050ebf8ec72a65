// Identification, checked on hidden limits in virtual time: named right, named wrong, or undecided.
import { rng } from "../chance/rng.ts";
import { behaviourOf, isSameBehaviour, numbersText, type BehaviourName } from "./behaviour.ts";
import { ASPECTS } from "./counted-by.ts";
import { drawHidden } from "./hidden.ts";
import { Identifier, type IdentifyCaps } from "./identify.ts";
import { createVirtualTarget } from "./virtual-target.ts";

export interface SelfCheckRow {
  readonly index: number;
  readonly hidden: string;
  readonly name: BehaviourName;
  readonly answer: string;
  readonly result: "right" | "wrong" | "undecided";
  readonly requests: number;
  readonly seconds: number;
  /** Of the aspects of a right answer: how many were found right, wrong, and not at all. */
  readonly aspects: readonly [right: number, wrong: number, open: number];
}

/** One hidden limit of the seed. */
export async function checkOne(
  seed: number,
  index: number,
  caps: IdentifyCaps,
): Promise<SelfCheckRow> {
  const { configuration, countedBy, network } = drawHidden(rng(seed, `hidden/${index}`));
  const random = rng(seed, `network/${index}`);
  const target = createVirtualTarget(configuration, countedBy, network, random);
  const found = await new Identifier(target, caps, index).identify(ASPECTS);
  const truth = behaviourOf(configuration);
  const { behaviour, requests, durationUs } = found;
  const result =
    behaviour === null ? "undecided" : isSameBehaviour(behaviour, truth) ? "right" : "wrong";
  const aspects: [number, number, number] = [0, 0, 0];
  if (result === "right")
    for (const aspect of ASPECTS) {
      const seen = found.countedBy[aspect];
      aspects[seen === null ? 2 : seen === countedBy[aspect] ? 0 : 1]++;
    }
  return {
    index,
    hidden: `${configuration.algorithm}: ${truth.name}, ${numbersText(truth)}`,
    name: truth.name,
    answer: behaviour === null ? found.why : `${behaviour.name}, ${numbersText(behaviour)}`,
    result,
    requests,
    seconds: Math.round(durationUs / 1e6),
    aspects,
  };
}
