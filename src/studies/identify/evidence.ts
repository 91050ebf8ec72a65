// The responses of one experiment, as every suspect is compared with them: counts, and times at which the requests may have
// been decided.
import type { Rng } from "../../kit/chance/rng.ts";
import { countOf, type ProbedGroup, type ProbeGroup } from "./target.ts";

/** Times of the network, as far as they are known. */
export interface ProbeTiming {
  readonly tripUs: number; // of a usual request, there and back
  readonly workUs: number; // how much longer an admitted request takes, such as by the work of the server
  readonly spreadUs: number; // by how much more than that a request takes that is not delayed
  readonly clockUs: number; // by how much the clocks of client and server may differ
  readonly patienceUs: number;
}

/** By as much the times of two decisions may differ from what is known of them. */
export const doubtUs = ({ tripUs, spreadUs }: ProbeTiming): number =>
  1_000 + 1.5 * Math.min(tripUs, spreadUs);

/** One of the values; 0 if there are none. */
export const quantile = (values: readonly number[], part: number): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length * part)] ?? 0;

/** Of two values the larger one. One slow response among several changes it little. */
export const upperMedian = (values: readonly number[]): number => quantile(values, 0.5);

export interface Planned {
  readonly atUs: number;
  readonly group: number;
  readonly isLost: boolean;
}

/** The requests of an experiment in the order in which they may have been decided. */
export interface Draw {
  readonly planned: readonly Planned[];
  readonly counts: readonly number[]; // of each group
  readonly patienceUs: readonly number[]; // of each group
}

export function createDraw(
  planned: readonly Planned[],
  groups: readonly Pick<ProbeGroup, "patienceUs">[],
  timing: ProbeTiming,
): Draw {
  const counts = groups.map(() => 0);
  for (const { group } of planned) counts[group]!++;
  return {
    planned: planned.toSorted((a, b) => a.atUs - b.atUs),
    counts,
    patienceUs: groups.map(({ patienceUs }) => patienceUs ?? timing.patienceUs),
  };
}

/** Of a program in virtual time the times are exact, and it may count in milliseconds. */
const LEAST_SPAN_US = 1_000;
/** Longer than this, a response was delayed, not the network slow. */
const SLOW_TRIPS = 3;

/** The responses of one experiment, as every suspect is compared with them. */
export interface ProbeEvidence {
  readonly isFirst: boolean; // of its experiment
  readonly groups: readonly GroupCounts[];
  /**
   * Times that the spans of the responses allow; the first has the middle of each. Suspects share them. In a queue a late
   * response was delayed, and decided early; of any other behaviour it is the network or the machine that was slow.
   */
  readonly draw: (index: number, isQueue: boolean) => Draw;
}

export interface GroupCounts {
  readonly count: number;
  readonly admitted: number;
  readonly lost: number;
  readonly typicalUs: number; // of the admitted: how much longer than a usual trip half of the responses took
}

const countLost = (group: Pick<ProbedGroup, "responses">): number =>
  countOf(group, "lost") + countOf(group, "other");

/**
 * One after the other, so that a draw has to give the counts of a few groups alone. Where requests of several groups may
 * have been decided in turns, these are one group.
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

/** By as much a request may be decided later than usual; a response that is later still was delayed on its way back. */
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
    // Of refusals alone a suspect is compared with the next admission: one comparison less.
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

/** From the first decision to the last one. */
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
  const draws = new Map<string, Draw>();
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
    draw: (index, isQueue) => {
      const name = `${index} ${isQueue}`;
      const times = draws.get(name);
      if (times !== undefined) return times;
      const drawn = drawTimes(groups, timing, isQueue, index, random);
      draws.set(name, drawn);
      return drawn;
    },
  };
}

/** Of those that were lost nothing shows which were decided: all of them, none, or any part, from one draw to the next. */
const LOST_PARTS = [1, 0] as const;

/**
 * The way there takes half of a usual trip. By how much a request took longer, it may have been decided later: times that
 * differ by as much are all that is uncertain, however long the way is.
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
  // Of many at once, those that are decided first or last make a difference: their times are uncertain together.
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
