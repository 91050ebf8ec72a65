// The responses of one experiment, as every suspect is compared with them: counts, and times at which the requests may have
// been decided.
import type { Rng } from "../../kit/chance/rng.ts";
import { countOf, type ProbedGroup } from "./target.ts";

/** Times of the network, as far as they are known. */
export interface ProbeTiming {
  readonly tripUs: number; // of a usual request, there and back
  readonly spreadUs: number; // by how much more than that a request takes that is not delayed
  readonly clockUs: number; // by how much the clocks of client and server may differ
  readonly patienceUs: number;
}

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
}

export function createDraw(planned: readonly Planned[], groups: number): Draw {
  const counts = Array.from({ length: groups }, () => 0);
  for (const { group } of planned) counts[group]!++;
  return { planned: planned.toSorted((a, b) => a.atUs - b.atUs), counts };
}

/** Of a program in virtual time the times are exact, and it may count in milliseconds. */
const LEAST_SPAN_US = 1_000;
/** Longer than this, a response was delayed, not the network slow. */
const SLOW_TRIPS = 3;

/** The responses of one experiment, as every suspect is compared with them. */
export interface ProbeEvidence {
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

export function evidenceOf(
  groups: readonly ProbedGroup[],
  timing: ProbeTiming,
  random: Rng,
): ProbeEvidence {
  const draws = new Map<string, Draw>();
  return {
    groups: groups.map((group) => ({
      count: group.count,
      admitted: countOf(group, "admitted"),
      lost: countOf(group, "lost") + countOf(group, "other"),
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
      const drawn = drawTimes(groups, timing, isQueue, index === 0 ? null : random);
      draws.set(name, drawn);
      return drawn;
    },
  };
}

function drawTimes(
  groups: readonly ProbedGroup[],
  { tripUs }: ProbeTiming,
  isQueue: boolean,
  random: Rng | null,
): Draw {
  const planned: Planned[] = [];
  for (const [group, { responses }] of groups.entries())
    for (const { sentUs, receivedUs, outcome } of responses) {
      const isLost = outcome === "lost" || outcome === "other";
      if (isLost && random !== null && random.next() < 0.5) continue;
      const canBeDelayed = isQueue && outcome === "admitted";
      const wholeUs = receivedUs - sentUs;
      const spanUs = isLost
        ? tripUs
        : canBeDelayed
          ? Math.min(wholeUs, SLOW_TRIPS * tripUs)
          : wholeUs;
      const part = random === null ? 0.5 : 0.1 + 0.8 * random.next();
      planned.push({ atUs: sentUs + part * Math.max(LEAST_SPAN_US, spanUs), group, isLost });
    }
  return createDraw(planned, groups.length);
}
