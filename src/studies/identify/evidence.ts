// The evidence of one experiment, with which every suspect is compared: counts, and times at which requests may have
// been decided.
import type { Rng } from "../../kit/chance/rng.ts";
import { countOf, type ProbedGroup, type ProbeGroup } from "./target.ts";

/** Times of the network, as far as they are known. */
export interface ProbeTiming {
  readonly tripUs: number; // usual time from a request to its response
  readonly workUs: number; // additional time of an admitted request, for example for work of the server
  readonly spreadUs: number; // how much longer than usual an undelayed request may take
  readonly lateUs: number; // how late a busy machine sends most of its requests
  readonly clockUs: number; // possible difference between the clocks of client and server
  readonly patienceUs: number;
}

/** The possible error of the time between two decisions. */
export const doubtUs = ({ tripUs, spreadUs }: ProbeTiming): number =>
  1_000 + 1.5 * Math.min(tripUs, spreadUs);

/** A quantile, which is one of the values; 0 if there are none. */
export const quantile = (values: readonly number[], part: number): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length * part)] ?? 0;

/** The median; of two values the larger. A single slow response among several changes it little. */
export const upperMedian = (values: readonly number[]): number => quantile(values, 0.5);

export interface Planned {
  readonly atUs: number;
  readonly group: number;
  readonly isLost: boolean;
}

/** Requests of an experiment in a possible order of their decisions. In columns, because each draw is read very often. */
export interface Draw {
  readonly atUs: Float64Array;
  readonly group: Uint32Array;
  readonly isLost: Uint8Array; // 0 or 1
  readonly counts: readonly number[]; // requests of each group
  readonly patienceUs: readonly number[]; // how long the client waits, by group
}

export function createDraw(
  planned: readonly Planned[],
  groups: readonly Pick<ProbeGroup, "patienceUs">[],
  timing: ProbeTiming,
): Draw {
  const counts = groups.map(() => 0);
  for (const { group } of planned) counts[group]!++;
  const sorted = planned.toSorted((a, b) => a.atUs - b.atUs);
  return {
    atUs: Float64Array.from(sorted, ({ atUs }) => atUs),
    group: Uint32Array.from(sorted, ({ group }) => group),
    isLost: Uint8Array.from(sorted, ({ isLost }) => Number(isLost)),
    counts,
    patienceUs: groups.map(({ patienceUs }) => patienceUs ?? timing.patienceUs),
  };
}

/** The least uncertainty: a program in virtual time has exact times, but may count in milliseconds. */
const LEAST_SPAN_US = 1_000;
/** A response that takes longer than this many usual trips was delayed by a queue, not by the network. */
const SLOW_TRIPS = 3;

/** Counts of groups that may have been decided in one span of time, and draws of their times. */
export interface ProbeEvidence {
  readonly isFirst: boolean; // whether this is the first evidence of its experiment
  readonly groups: readonly GroupCounts[];
  /**
   * Draws times of decisions that the responses allow; draw 0 has the middle of each span. All suspects share the
   * draws. A queue decides early and delays; other late responses are due to the network or the machine.
   */
  readonly draw: (index: number, isQueue: boolean) => Draw;
}

export interface GroupCounts {
  readonly count: number;
  readonly admitted: number;
  readonly lost: number;
  readonly typicalUs: number; // median of the additional time that admitted requests took beyond a usual trip
}

const countLost = (group: Pick<ProbedGroup, "responses">): number =>
  countOf(group, "lost") + countOf(group, "other");

/**
 * Splits an experiment in time, so that a draw has to give the counts of a few groups only. Groups whose requests may
 * have been decided in mixed order are joined.
 */
export const evidenceOf = (
  groups: readonly ProbedGroup[],
  timing: ProbeTiming,
  random: Rng,
): readonly ProbeEvidence[] =>
  separate(groups, timing).map((each, index) => ({
    ...evidenceTogether(each, timing, random),
    isFirst: index === 0,
  }));

/** How much later than usual a request may be decided. Any further delay was on the way back. */
const mostLateUs = ({ tripUs, spreadUs }: ProbeTiming): number =>
  LEAST_SPAN_US + Math.max((SLOW_TRIPS - 1) * tripUs, 3 * spreadUs);

type Merged = Omit<ProbedGroup, "atUs" | "sender">;

function separate(
  groups: readonly ProbedGroup[],
  timing: ProbeTiming,
): readonly (readonly Merged[])[] {
  const all: Merged[][] = [];
  let untilUs = -Infinity;
  for (const { group, fromUs, toUs } of groups
    .filter(({ responses }) => responses.length > 0)
    .map((each) => ({ group: each, ...spanOf(each, timing) }))
    .toSorted((a, b) => a.fromUs - b.fromUs)) {
    const together = all.at(-1);
    // Groups with only refusals are compared together with the next group that has an admission: one comparison less.
    const isRefused = together?.every((each) => countOf(each, "admitted") === 0);
    if (together !== undefined && fromUs <= untilUs) together.push(merge(together.pop()!, group));
    else if (together !== undefined && isRefused === true) together.push(group);
    else all.push([group]);
    untilUs = Math.max(untilUs, toUs);
  }
  return all;
}

const merge = (a: Merged, b: Merged): Merged => ({
  ...a,
  count: a.count + b.count,
  responses: [...a.responses, ...b.responses],
});

/** The span from the first decision of a group to the last. */
function spanOf({ responses }: ProbedGroup, timing: ProbeTiming): { fromUs: number; toUs: number } {
  const mostUs = mostLateUs(timing);
  let [fromUs, toUs] = [Infinity, -Infinity];
  for (const { sentUs, receivedUs, outcome } of responses) {
    const lateUs = outcome === "lost" ? 0 : receivedUs - sentUs - timing.tripUs;
    fromUs = Math.min(fromUs, sentUs);
    toUs = Math.max(toUs, sentUs + LEAST_SPAN_US + Math.min(lateUs, mostUs));
  }
  return { fromUs, toUs };
}

function evidenceTogether(
  groups: readonly Merged[],
  timing: ProbeTiming,
  random: Rng,
): Omit<ProbeEvidence, "isFirst"> {
  const draws = {
    forQueues: new Array<Draw | undefined>(),
    forOthers: new Array<Draw | undefined>(),
  };
  return {
    groups: groups.map((group) => ({
      count: group.count,
      admitted: countOf(group, "admitted"),
      lost: countLost(group),
      typicalUs: Math.max(
        0,
        upperMedian(
          group.responses
            .filter(({ outcome }) => outcome === "admitted")
            .map(({ sentUs, receivedUs }) => receivedUs - sentUs - timing.tripUs),
        ),
      ),
    })),
    draw: (index, isQueue) =>
      ((isQueue ? draws.forQueues : draws.forOthers)[index] ??= drawTimes(
        groups,
        timing,
        isQueue,
        index,
        random,
      )),
  };
}

/** The share of lost requests that draws 0 and 1 treat as decided; later draws use a random share. */
const LOST_PARTS = [1, 0] as const;

/**
 * Draws times of decisions. The way to the server takes half of a usual trip, without uncertainty. If a request took
 * longer than usual, it may have been decided later by up to the additional time.
 */
function drawTimes(
  groups: readonly Merged[],
  timing: ProbeTiming,
  isQueue: boolean,
  index: number,
  random: Rng,
): Draw {
  const { tripUs, workUs } = timing;
  const lostPart = LOST_PARTS[index] ?? random.next();
  const planned: Planned[] = [];
  // The first and last of simultaneous requests decide the counts, so all times are also shifted together.
  const togetherUs =
    index === 0 ? 0 : ((random.next() - 0.5) * doubtUs(timing)) / (1 + (index % 2));
  for (const [group, { responses }] of groups.entries())
    for (const { sentUs, receivedUs, outcome } of responses) {
      const isLost = outcome === "lost" || outcome === "other";
      if (isLost && random.next() >= lostPart) continue;
      const isAdmitted = outcome === "admitted";
      const workedUs = isAdmitted && !isQueue ? workUs : 0;
      const wholeUs = isLost ? tripUs : Math.max(0, receivedUs - sentUs - workedUs);
      const usualUs = Math.min(wholeUs, tripUs);
      const mostUs = isQueue && isAdmitted ? SLOW_TRIPS * tripUs : wholeUs;
      const lateUs = Math.max(
        LEAST_SPAN_US,
        Math.min(Math.min(wholeUs, mostUs) - usualUs, mostLateUs(timing)),
      );
      const part = index === 0 ? 0.5 : random.next();
      const fromUs = sentUs + Math.max(0, (usualUs - LEAST_SPAN_US) / 2);
      planned.push({ atUs: fromUs + togetherUs + part * lateUs, group, isLost });
    }
  return createDraw(planned, groups, timing);
}
