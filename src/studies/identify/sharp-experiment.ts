// Experiments right before and after the time at which a suspect admits again. A limit with other numbers decides one
// of these requests differently, even if no suspect has those numbers.
import type { Rng } from "../../kit/chance/rng.ts";
import { isPaced, readsClock, type LimitBehaviour } from "./behaviour.ts";
import type { ProbeTiming } from "./evidence.ts";
import {
  burst,
  overOf,
  settleUs,
  type ExperimentBurst,
  type Experiment,
  type ProbeNow,
} from "./experiment.ts";
import { type Suspect } from "./suspect.ts";
import { predictTallies, recoveryUsOf } from "./predictions.ts";
import { PRECISE } from "./naming.ts";
import { countOf, FIRST_SENDER, type ProbedGroup } from "./target.ts";

/**
 * Two bursts use the limit up, right before a window ends and right after its end: a window with another end does not
 * admit both. No request is sent for `restUs` before, so that the ends of slightly longer windows have moved away.
 */
export function aroundItsEnd(
  suspect: Suspect,
  { nowUs: startUs, timing }: ProbeNow,
  restUs: number,
): Experiment {
  const nowUs = startUs + restUs;
  const { capacity, spanUs } = suspect.behaviour;
  const beforeUs = timing.clockUs + timing.tripUs + EDGE_US + Math.min(timing.lateUs, spanUs / 4);
  const settle = settleUs(timing);
  const inWindow = { atUs: nowUs + settle + beforeUs, count: 0, everyUs: 0 };
  const endUs = recoveryUsOf(suspect, [inWindow], timing) - nowUs;
  return {
    title: "right before and after the end of a window",
    bursts: [
      burst(restUs + endUs - beforeUs - settle, overOf(capacity)),
      burst(restUs + endUs - beforeUs, 2),
      burst(restUs + endUs + timing.clockUs + EDGE_US, overOf(capacity)),
    ],
  };
}

/** How far from the end of a window a request is planned, beyond the uncertainty of times. */
const EDGE_US = 5_000;

/** Whether a window with known times was tried at its end, and no new one began there. */
export const isEndUnseen = (
  { behaviour }: Suspect,
  confirmed: number,
  probed: readonly ProbedGroup[],
): boolean =>
  PRECISE.has(behaviour.name) && confirmed === 0 && countOf(probed.at(-1)!, "admitted") === 0;

/** Whether both bursts before the end were over by then: on a busy machine, late ones use up the next window. */
export const isBeforeEnd = (probed: readonly ProbedGroup[], { clockUs }: ProbeTiming): boolean =>
  probed
    .slice(0, -1)
    .every(({ responses }) =>
      responses.every(({ receivedUs }) => receivedUs < probed.at(-1)!.atUs - clockUs - EDGE_US),
    );

/** How long to use up a pace, in uncertainties of times, until paces that differ by 0.2 % can be distinguished. */
const LONG_PACE = 500;
const MOST_DRAINS = 60;

/**
 * The limit is used up, and single requests are sent right before and after it recovers. A paced limit is used up
 * repeatedly before, without being full in between, so that a small difference of the pace adds up.
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
  // The request itself takes half a trip to arrive.
  const recoveredUs = recoveryUs - timing.tripUs / 2;
  const single = (afterUs: number): ExperimentBurst =>
    burst(Math.max(lastUs + settleUs(timing), recoveredUs + afterUs), 1);
  const [early, late] = [single(-marginUs), single(marginUs)];
  const title = "right before and after the limit recovers";
  if (!hasSharpEdge(suspect, timing))
    return { title, bursts: [...drains, ...EDGE_PARTS.map((part) => single(part * marginUs))] };
  const both = [...drains, early, late];
  // If the first refusal would extend the wait, only one of the two requests is sent.
  const tallies = predictTallies(suspect, groupsAt(both, nowUs), timing);
  if (tallies.at(-1)!.admitted > 0 && early.afterUs < late.afterUs) return { title, bursts: both };
  return { title, bursts: [...drains, random.int(2) === 0 ? early : late] };
}

/** For a limit with a pause: sends exactly `capacity` requests, and one more right before or after the window ends. */
export function aroundItsWindow(
  suspect: Suspect,
  { nowUs, timing }: ProbeNow,
  random: Rng,
): Experiment {
  const { capacity, spanUs } = suspect.behaviour;
  const past = suspect.pasts[0];
  const pausedUs = (past?.state?.pausedUntilUs ?? 0) - (past?.clockUs ?? 0) - nowUs;
  const marginUs = ownMarginUs(timing);
  const restUs = Math.max(1.15 * spanUs, pausedUs + 2 * marginUs);
  const afterUs = spanUs + (random.int(2) === 0 ? -marginUs : marginUs);
  return {
    title: "no more than the limit, and another request around the end of its window",
    bursts: [burst(restUs, capacity), burst(restUs + Math.max(settleUs(timing), afterUs), 1)],
  };
}

/** The times of requests around an expected edge, as multiples of its margin. They narrow it to about a sixth. */
const EDGE_PARTS = [-1, -0.67, -0.33, 0, 0.33, 0.67, 1];

const ownMarginUs = ({ tripUs, spreadUs }: ProbeTiming): number =>
  3_000 + Math.min(2_000 + tripUs, 1.5 * spreadUs);

/** The uncertainty of the time at which the limit recovers. */
function marginUsOf(suspect: Suspect, timing: ProbeTiming): number {
  if (suspect.edgeUs !== null) return ownMarginUs(timing) + edgeSpreadUs(suspect) / 2;
  return ownMarginUs(timing) + (readsClock(suspect.behaviour) ? timing.clockUs : 0);
}

const edgeSpreadUs = ({ behaviour, pasts }: Suspect): number => {
  const clocks = pasts.map(({ clockUs }) => clockUs);
  return clocks.length === 0 ? behaviour.spanUs : Math.max(...clocks) - Math.min(...clocks);
};

/** Whether the edge is known well enough to confirm a suspect whose windows begin at unknown times. */
export const hasSharpEdge = (suspect: Suspect, timing: ProbeTiming): boolean =>
  suspect.edgeUs === null ||
  edgeSpreadUs(suspect) <= 4 * ownMarginUs(timing) + suspect.behaviour.spanUs / 200;

function listDrains(
  behaviour: LimitBehaviour,
  marginUs: number,
  timing: ProbeTiming,
  random: Rng,
): readonly [ExperimentBurst, ...ExperimentBurst[]] {
  const { capacity, spanUs, second } = behaviour;
  const first = burst(0, overOf(capacity));
  // Uses up one window of the first limit after another, until the second limit is used up.
  if (second !== undefined)
    return [
      first,
      ...Array.from({ length: Math.ceil(second.capacity / capacity) }, (_, index) =>
        burst((index + 1) * 1.06 * spanUs, overOf(capacity)),
      ),
    ];
  if (!isPaced(behaviour) || capacity === 1) return [first];
  const everyUs = Math.max(settleUs(timing), (0.6 + 0.3 * random.next()) * (capacity - 1) * spanUs);
  const drains = Math.min(MOST_DRAINS, Math.ceil((LONG_PACE * marginUs) / everyUs));
  const count = overOf(Math.min(capacity, Math.ceil(everyUs / spanUs)));
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
