// Chooses the next experiment: the random draft that separates the most pairs of suspects for its cost.
import type { Rng } from "../../kit/chance/rng.ts";
import { SECOND } from "../../kit/units.ts";
import {
  classOf,
  intervalUsOf,
  isPaced,
  readsClock,
  restUsOf,
  type LimitBehaviour,
} from "./behaviour.ts";
import { upperMedian, type ProbeTiming } from "./evidence.ts";
import type { GroupTally } from "./retelling.ts";
import { isLoose, slackUs, toleranceOf } from "./comparison.ts";
import { type Suspect } from "./suspect.ts";
import { predictTallies } from "./predictions.ts";
import { FIRST_SENDER, type ProbeGroup } from "./target.ts";

/** Times are from the start of the experiment. */
export interface ExperimentBurst {
  readonly afterUs: number;
  readonly count: number;
  readonly everyUs: number; // 0: all requests are sent at one instant
}

export interface Experiment {
  readonly title: string;
  readonly bursts: readonly ExperimentBurst[];
}

export const requestsOf = ({ bursts }: Experiment): number =>
  bursts.reduce((sum, { count }) => sum + count, 0);

export const durationUsOf = ({ bursts }: Experiment): number =>
  Math.max(0, ...bursts.map(({ afterUs, count, everyUs }) => afterUs + count * everyUs));

export const groupsOf = ({ bursts }: Experiment, startUs: number): readonly ProbeGroup[] =>
  bursts.map(({ afterUs, count, everyUs }) => ({
    atUs: startUs + Math.round(afterUs),
    count: Math.max(1, Math.round(count)),
    everyUs,
    sender: FIRST_SENDER,
  }));

export const burst = (afterUs: number, count: number, everyUs = 0): ExperimentBurst => ({
  afterUs,
  count: Math.max(1, count),
  everyUs,
});

/** The size of a burst that uses up the limit even if a few requests are lost. */
export const overOf = (capacity: number): number => capacity + 2 + Math.ceil(capacity / 20);

/** The time after a burst until its last request has surely been decided. */
export const settleUs = ({ tripUs, spreadUs }: ProbeTiming): number =>
  Math.min(20_000 + 4 * tripUs, 5_000 + 3 * spreadUs);

const pick = <T>(values: readonly T[], random: Rng): T => values[random.int(values.length)]!;

export interface ProbeNow {
  readonly nowUs: number;
  readonly timing: ProbeTiming;
}

/** Uses up the limit and sends near the end of its window, or 0.45 s earlier: whole-second windows may end early. */
function aroundTheEnd(
  behaviour: LimitBehaviour,
  other: LimitBehaviour,
  timing: ProbeTiming,
  random: Rng,
): Experiment {
  const spanUs = isPaced(behaviour) ? restUsOf(behaviour) : behaviour.spanUs;
  const otherUs = isPaced(other) ? restUsOf(other) : other.spanUs;
  const settle = settleUs(timing);
  const { capacity } = behaviour;
  const isNear = Math.abs(otherUs - spanUs) < 0.2 * spanUs;
  // The random part varies where the burst begins in windows that follow the clock.
  const restUs = (1.2 + random.next()) * spanUs;
  // Not exactly at a predicted end, where a microsecond would decide: between two ends, or a little later.
  const afterUs = isNear ? (spanUs + otherUs) / 2 : spanUs + settle / 2;
  const endUs = pick([afterUs, spanUs - 0.45 * SECOND], random);
  return {
    title: "around the end of a window",
    bursts: [
      burst(restUs, overOf(capacity)),
      burst(restUs + Math.max(settle, endUs), pick([1, overOf(capacity)], random)),
      burst(restUs + 2 * settle + Math.max(spanUs, endUs) + SECOND, overOf(capacity)),
    ],
  };
}

/** For clock windows: uses up the limit before an edge, and sends right after the edge and again in that window. */
function aroundAnEdge(
  behaviour: LimitBehaviour,
  { nowUs, timing }: ProbeNow,
  random: Rng,
): Experiment {
  const { capacity } = behaviour;
  const spanUs =
    classOf(behaviour).clock === "whole seconds" ? SECOND : Math.max(SECOND, behaviour.spanUs);
  const settle = settleUs(timing);
  const edgeUs = 2 * spanUs - (nowUs % spanUs);
  return {
    title: "before and after an edge of the clock",
    bursts: [
      burst(edgeUs - Math.max(settle, 0.3 * spanUs), overOf(capacity)),
      burst(edgeUs + timing.clockUs + 5_000, pick([1, overOf(capacity)], random)),
      burst(edgeUs + Math.max(2 * settle, pick([0.3, 0.6], random) * spanUs), overOf(capacity)),
    ],
  };
}

/** Drafts three bursts of which only the last can be refused, because a refusal begins a pause. */
const halvesWithinTheLimit = (behaviour: LimitBehaviour): Experiment => {
  const { capacity, spanUs } = behaviour;
  const restUs = 1.15 * restUsOf(behaviour);
  return {
    title: "half of the limit, the other half later, and all of it",
    bursts: [
      burst(restUs, Math.ceil(capacity / 2)),
      burst(restUs + 0.6 * spanUs, Math.floor(capacity / 2)),
      burst(restUs + 1.12 * spanUs, capacity),
    ],
  };
};

/** Splits a behaviour into limits with one span each. A pause becomes the span of a second limit. */
function listScales(behaviour: LimitBehaviour): readonly LimitBehaviour[] {
  const { second, pauseUs, ...first } = behaviour;
  if (second !== undefined) return [first, { ...first, ...second }];
  return pauseUs === undefined ? [first] : [first, { ...first, spanUs: pauseUs }];
}

/** Drafts an experiment whose result depends on the numbers of the suspect, and sometimes on those of `other`. */
function draftExperiment(
  suspect: Suspect,
  other: LimitBehaviour,
  { nowUs, timing }: ProbeNow,
  random: Rng,
): Experiment {
  if (suspect.behaviour.pauseUs !== undefined && random.int(2) === 0)
    return halvesWithinTheLimit(suspect.behaviour);
  const behaviour = pick(listScales(suspect.behaviour), random);
  const spanUs = isPaced(behaviour) ? restUsOf(behaviour) : behaviour.spanUs;
  const { capacity } = behaviour;
  const more = capacity + Math.max(2, Math.ceil(capacity / 5));
  const settle = settleUs(timing);
  if (readsClock(behaviour) && random.int(5) === 0)
    return aroundAnEdge(behaviour, { nowUs, timing }, random);
  switch (random.int(isPaced(behaviour) ? 10 : 7)) {
    case 0: {
      const waitUs = pick([0.25, 0.5, 0.85, 1.15, 2.3], random) * spanUs;
      return {
        title: "a pause, a burst, and two requests after it",
        bursts: [burst(waitUs, more), burst(waitUs + settle, 1), burst(waitUs + 2 * settle, 1)],
      };
    }
    case 1:
      return {
        title: "whether refused requests count",
        bursts: [
          burst(0, more),
          burst(Math.max(settle, 0.5 * spanUs), Math.ceil(capacity * pick([0.3, 1.1], random))),
          burst(settle + 1.12 * spanUs, pick([1, more], random)),
        ],
      };
    case 2: {
      const waitUs = pick([0, 1.1, 2.2], random) * spanUs;
      return {
        title: "half of the limit, and the other half later",
        bursts: [
          burst(waitUs, Math.ceil(capacity / 2)),
          burst(waitUs + Math.max(settle, pick([0.6, 0.9], random) * spanUs), more),
          burst(waitUs + settle + 1.12 * spanUs, more),
        ],
      };
    }
    case 3:
      return {
        title: "single requests through a window",
        bursts: [
          burst(0, more),
          ...[0.2, 0.4, 0.6, 0.8, 1.1].map((part) => burst(settle + part * spanUs, 1)),
        ],
      };
    case 4: {
      const low = Math.min(capacity, other.capacity);
      const high = Math.max(capacity, other.capacity);
      const waitUs = pick([0.5, 1.15, 2.3], random) * spanUs;
      return {
        title: "a burst between two limits, and two requests after it",
        bursts: [
          burst(waitUs, Math.ceil((low + high) / 2)),
          burst(waitUs + settle, 1),
          burst(waitUs + 2 * settle, 1),
        ],
      };
    }
    case 5: {
      const apartUs = pick([0.35, 0.7, 0.9], random) * spanUs;
      return {
        title: "bursts at even distances",
        bursts: [0, 1, 2, 3].map((index) => burst(settle + index * apartUs, more)),
      };
    }
    case 6:
      return aroundTheEnd(behaviour, other, timing, random);
    case 7: {
      const everyUs = Math.round(intervalUsOf(behaviour) * pick([0.5, 0.8], random));
      return {
        title: "a steady stream above the rate",
        bursts: [burst(0, more), burst(settle, pick([30, 100, 300], random), everyUs)],
      };
    }
    default: {
      // If all regained requests are used repeatedly, even a small difference of rates adds up.
      const intervalUs = intervalUsOf(behaviour);
      const least = Math.ceil((3 * settle) / intervalUs);
      const each = Math.max(1, Math.min(capacity, least));
      const rounds = pick([4, 12, 25], random);
      return {
        title: "as much as is paid back, several times",
        bursts: Array.from({ length: rounds }, (_, index) =>
          burst(Math.max(settle, each * intervalUs) * 0.97 * (index + 1), each + 1),
        ),
      };
    }
  }
}

/** Whether the predicted counts or delays of two suspects differ more than they may by chance. */
function differ(
  [a, ofA]: readonly [Suspect, readonly GroupTally[]],
  [b, ofB]: readonly [Suspect, readonly GroupTally[]],
  experiment: Experiment,
  timing: ProbeTiming,
): boolean {
  return ofA.some((tallyA, index) => {
    const tallyB = ofB[index]!;
    const { count } = experiment.bursts[index]!;
    const tolerance =
      toleranceOf(a.behaviour, count, timing) + toleranceOf(b.behaviour, count, timing);
    const apart = tallyA.admitted - tallyB.admitted;
    // A loose log may admit more in a burst than its limit.
    const canExceed = ({ behaviour }: Suspect, { admitted }: GroupTally): boolean =>
      count > 1 && admitted > 0 && isLoose(behaviour);
    const isAbove = apart > tolerance && !canExceed(b, tallyB);
    const isBelow = apart < -tolerance && !canExceed(a, tallyA);
    const [delayA, delayB] = [upperMedian(tallyA.delaysUs), upperMedian(tallyB.delaysUs)];
    const isSlower =
      tallyA.admitted > 0 &&
      tallyB.admitted > 0 &&
      Math.abs(delayA - delayB) > 2 * slackUs(timing) + 0.06 * delayA;
    return isAbove || isBelow || isSlower;
  });
}

const DRAFTS = 10;
const SAMPLE = 18;

export interface ProbeBudget {
  readonly requests: number;
  readonly us: number; // from the start of an experiment to its last request
}

/** The best of some drafts; null: no affordable draft separates any two suspects. */
export function chooseExperiment(
  suspects: readonly Suspect[],
  { nowUs, budget, timing }: { nowUs: number; budget: ProbeBudget; timing: ProbeTiming },
  random: Rng,
): Experiment | null {
  const sample = sampleOf(suspects, random);
  let best: Experiment | null = null;
  let most = 0;
  for (let draft = 0; draft < DRAFTS; draft++) {
    const suspect = pick(sample, random);
    const experiment = draftExperiment(
      suspect,
      pick(sample, random).behaviour,
      { nowUs, timing },
      random,
    );
    const requests = requestsOf(experiment);
    const us = durationUsOf(experiment);
    if (requests > budget.requests || us > budget.us) continue;
    const groups = groupsOf(experiment, nowUs);
    const outcomes = sample.map((each) => [each, predictTallies(each, groups, timing)] as const);
    let separated = 0;
    for (let i = 0; i < outcomes.length; i++)
      for (let j = 0; j < i; j++)
        if (differ(outcomes[i]!, outcomes[j]!, experiment, timing)) separated++;
    if (separated === 0) continue;
    const pairs = (outcomes.length * (outcomes.length - 1)) / 2;
    const cost = 0.01 + requests / budget.requests + us / budget.us;
    const value = separated / pairs / cost;
    if (value <= most) continue;
    best = experiment;
    most = value;
  }
  return best;
}

/** Picks a few suspects of each behaviour. */
function sampleOf(suspects: readonly Suspect[], random: Rng): readonly Suspect[] {
  if (suspects.length <= SAMPLE) return suspects;
  const byName = Map.groupBy(suspects, ({ behaviour }) => behaviour.name);
  const each = Math.max(2, Math.ceil(SAMPLE / byName.size));
  return [...byName.values()].flatMap((of) =>
    of.length <= each ? of : Array.from({ length: each }, () => pick(of, random)),
  );
}

/** A burst above a rested limit, so large that requests overlap when the limit is reached. */
export const overlappingBurst = ({ behaviour }: Suspect): Experiment => ({
  title: "more than the limit at once",
  bursts: [burst(1.15 * restUsOf(behaviour), behaviour.capacity + 110)],
});

const REPEATS = 8;

/** Uses up the limit in several successive windows, to reveal a second limit with a longer window. */
export const severalTimes = ({ behaviour }: Suspect): Experiment => {
  const { capacity, spanUs } = behaviour;
  const everyUs = 1.03 * (isPaced(behaviour) ? spanUs * Math.ceil(capacity / 2) : spanUs);
  return {
    title: "the limit used up several times in a row",
    bursts: Array.from({ length: REPEATS }, (_, index) => burst(index * everyUs, overOf(capacity))),
  };
};

/** Uses up a rested limit exactly: nothing is refused, so no pause begins. */
export const withoutExceeding = ({ behaviour }: Suspect): Experiment => {
  const restUs = 1.15 * restUsOf(behaviour);
  const { capacity, spanUs } = behaviour;
  return {
    title: "no more than the limit, and another request within the window",
    bursts: [burst(restUs, capacity), burst(restUs + 0.6 * spanUs, 1)],
  };
};

/** Drafts an experiment to confirm the only suspect left: other behaviours would hardly give its predicted counts. */
export const confirmation = (suspect: Suspect, now: ProbeNow, random: Rng): Experiment =>
  draftExperiment(suspect, suspect.behaviour, now, random);
