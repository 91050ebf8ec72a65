// Experiments right before and after the time at which a suspect admits again: a limit with other numbers differs in one of
// them, also where no suspect has its numbers.
import type { Rng } from "../../kit/chance/rng.ts";
import { isPaced, readsClock, type LimitBehaviour } from "./behaviour.ts";
import type { ProbeTiming } from "./evidence.ts";
import {
  burst,
  settleUs,
  type ExperimentBurst,
  type Experiment,
  type ProbeNow,
} from "./experiment.ts";
import { predictTallies, recoveryUsOf, type Suspect } from "./suspect.ts";
import { FIRST_SENDER } from "./target.ts";

/** The limit is used up right before a window ends, and again right after it: no window with another end admits both. */
export function aroundItsEnd(suspect: Suspect, { nowUs, timing }: ProbeNow): Experiment {
  const { capacity } = suspect.behaviour;
  const beforeUs = timing.clockUs + timing.tripUs + 5_000;
  const settle = settleUs(timing);
  const inWindow = { atUs: nowUs + settle + beforeUs, count: 0, everyUs: 0 };
  const endUs = recoveryUsOf(suspect, [inWindow], timing) - nowUs;
  return {
    title: "right before and after the end of a window",
    bursts: [
      burst(endUs - beforeUs - settle, capacity + 2),
      burst(endUs - beforeUs, 2),
      burst(endUs + timing.clockUs + 5_000, capacity + 2),
    ],
  };
}

/** Paces that differ by 0.2 % differ by what is uncertain after as many times that. */
const LONG_PACE = 500;
const MOST_DRAINS = 60;

/**
 * The limit is used up, a request is sent right before it recovers, and another one right after. Of a pace, it is used up
 * again and again before, without ever being full: a small difference of the pace adds up.
 */
export function aroundItsRecovery(
  suspect: Suspect,
  { nowUs, timing }: ProbeNow,
  random: Rng,
): Experiment {
  const { behaviour } = suspect;
  const marginUs = marginUsOf(suspect, timing);
  const drains = listDrains(behaviour, marginUs, timing, random);
  const recoveryUs = recoveryUsOf(suspect, groupsAt(drains, nowUs), timing) - nowUs;
  const lastUs = drains.at(-1)!.afterUs;
  // Half a trip is the request's own.
  const recoveredUs = recoveryUs - timing.tripUs / 2;
  const single = (afterUs: number): ExperimentBurst =>
    burst(Math.max(lastUs + settleUs(timing), recoveredUs + afterUs), 1);
  const [early, late] = [single(-marginUs), single(marginUs)];
  const title = "right before and after the limit recovers";
  if (!hasSharpEdge(suspect, timing))
    return { title, bursts: [...drains, ...EDGE_PARTS.map((part) => single(part * marginUs))] };
  const both = [...drains, early, late];
  // A refusal may begin the wait anew.
  const tallies = predictTallies(suspect, groupsAt(both, nowUs), timing);
  if (tallies.at(-1)!.admitted > 0 && early.afterUs < late.afterUs) return { title, bursts: both };
  return { title, bursts: [...drains, random.int(2) === 0 ? early : late] };
}

/** Through the time in which an edge may be, which is a seventh as long afterwards. */
const EDGE_PARTS = [-1, -0.67, -0.33, 0, 0.33, 0.67, 1];

const ownMarginUs = ({ tripUs }: ProbeTiming): number => tripUs + 5_000;

/** By how much the time is uncertain at which it recovers. */
function marginUsOf(suspect: Suspect, timing: ProbeTiming): number {
  if (suspect.edgeUs !== null) return ownMarginUs(timing) + edgeSpreadUs(suspect) / 2;
  return ownMarginUs(timing) + (readsClock(suspect.behaviour) ? timing.clockUs : 0);
}

const edgeSpreadUs = ({ behaviour, pasts }: Suspect): number => {
  const clocks = pasts.map(({ clockUs }) => clockUs);
  return clocks.length === 0 ? behaviour.spanUs : Math.max(...clocks) - Math.min(...clocks);
};

/** Of windows with times of their own, nothing is confirmed before these are known: they explain too much. */
export const hasSharpEdge = (suspect: Suspect, timing: ProbeTiming): boolean =>
  suspect.edgeUs === null ||
  edgeSpreadUs(suspect) <= 4 * ownMarginUs(timing) + suspect.behaviour.spanUs / 200;

function listDrains(
  behaviour: LimitBehaviour,
  marginUs: number,
  timing: ProbeTiming,
  random: Rng,
): readonly [ExperimentBurst, ...ExperimentBurst[]] {
  const { capacity, spanUs } = behaviour;
  const first = burst(0, capacity + 2);
  if (!isPaced(behaviour) || capacity === 1) return [first];
  const everyUs = Math.max(settleUs(timing), (0.6 + 0.3 * random.next()) * (capacity - 1) * spanUs);
  const drains = Math.min(MOST_DRAINS, Math.ceil((LONG_PACE * marginUs) / everyUs));
  const count = Math.min(capacity, Math.ceil(everyUs / spanUs)) + 2;
  return [
    first,
    ...Array.from({ length: drains }, (_, index) => burst((index + 1) * everyUs, count)),
  ];
}

const groupsAt = (
  bursts: readonly ExperimentBurst[],
  startUs: number,
): Parameters<typeof predictTallies>[1] =>
  bursts.map(({ afterUs, ...each }) => ({
    ...each,
    atUs: startUs + afterUs,
    sender: FIRST_SENDER,
  }));
