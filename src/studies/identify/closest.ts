// The behaviours whose decisions differ least from the responses, if no known behaviour explains all of them.
import type { Rng } from "../../kit/chance/rng.ts";
import type { LimitBehaviour } from "./behaviour.ts";
import { distance, isLoose } from "./comparison.ts";
import { doubtUs, evidenceOf, type ProbeEvidence, type ProbeTiming } from "./evidence.ts";
import { behaviourAt, type ShapeDraft } from "./fit.ts";
import type { IdentifyStep } from "./prober.ts";
import { Retelling } from "./retelling.ts";
import { draftShapes, type FirstFindings } from "./shapes.ts";
import { createSuspect, newPast } from "./suspect.ts";

export interface ClosestBehaviour {
  readonly behaviour: LimitBehaviour;
  readonly differing: number; // responses that the behaviour would have given otherwise
}

const MOST_CLOSEST = 2;
/** How many spans are tried between the bounds of a shape; each is a few per cent longer than the one before. */
const SPANS = 40;
/** Windows shorter than this multiple of the uncertainty of times cannot be seen. */
const LEAST_SEEN = 2;

/** Returns none if the time is over before all of them were compared. */
export function findClosest(
  steps: readonly IdentifyStep[],
  findings: FirstFindings,
  timing: ProbeTiming,
  random: Rng,
  isOver: () => boolean,
): readonly ClosestBehaviour[] {
  const evidence = steps.flatMap(({ groups }) => evidenceOf(groups, timing, random));
  const best = new Map<string, ClosestBehaviour>();
  for (const draft of draftShapes(findings, LEAST_SEEN * doubtUs(timing))) {
    // One that may admit any number at once explains too much to be close to anything.
    if (isLoose(draft)) continue;
    for (const spanUs of spansOf(draft)) {
      if (isOver()) return [];
      const behaviour = behaviourAt(draft, spanUs);
      const most = best.get(behaviour.name)?.differing ?? Number.POSITIVE_INFINITY;
      const differing = countDiffering(behaviour, evidence, timing, most);
      if (differing < most) best.set(behaviour.name, { behaviour, differing });
    }
  }
  return [...best.values()].toSorted((a, b) => a.differing - b.differing).slice(0, MOST_CLOSEST);
}

function spansOf({ fromUs, toUs, spansUs }: ShapeDraft): readonly number[] {
  if (spansUs !== null) return spansUs;
  return Array.from({ length: SPANS }, (_, index) =>
    Number((fromUs * (toUs / fromUs) ** (index / (SPANS - 1))).toPrecision(3)),
  );
}

/** Stops counting at `most`. */
function countDiffering(
  behaviour: LimitBehaviour,
  evidence: readonly ProbeEvidence[],
  timing: ProbeTiming,
  most: number,
): number {
  const suspect = createSuspect(behaviour);
  let past = newPast(suspect, timing, null);
  let differing = 0;
  for (const { groups, draw } of evidence) {
    const retelling = new Retelling(suspect, past, draw(0, behaviour.name === "queue"), timing);
    for (const [index, group] of groups.entries())
      differing += distance(group, retelling.tallyOf(index), suspect, timing);
    if (differing >= most) return differing;
    past = retelling.past();
  }
  return differing;
}
