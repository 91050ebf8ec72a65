// Compares the responses of an experiment with a limiter's decisions: counts and delays, as exactly as times are known.
import { intervalUsOf, isPaced, weighsWindows, type LimitBehaviour } from "./behaviour.ts";
import { doubtUs, upperMedian, type GroupCounts, type ProbeTiming } from "./evidence.ts";
import type { GroupTally, Retelling } from "./retelling.ts";

interface Compared {
  readonly behaviour: LimitBehaviour;
}

/** The accepted difference of counts: the requests that the limit regains within the uncertainty of times. */
export const toleranceOf = (
  behaviour: LimitBehaviour,
  count: number,
  timing: ProbeTiming,
): number =>
  isPaced(behaviour) || weighsWindows(behaviour)
    ? Math.min(Math.floor(count / 2), Math.floor(doubtUs(timing) / intervalUsOf(behaviour)))
    : 0;

export const isLoose = ({ name }: Pick<LimitBehaviour, "name">): boolean =>
  name === "loose_log" || name === "fixed_mark";

/** The largest difference between two delays that the network may have caused, in microseconds. */
export const slackUs = ({ spreadUs }: ProbeTiming): number => 5_000 + 1.5 * spreadUs;

/** How far the count or the delay of a group is from the limiter's; 0: they agree. */
export function distance(
  { count, admitted: seen, lost, typicalUs }: GroupCounts,
  { admitted, late, delaysUs }: GroupTally,
  { behaviour }: Compared,
  timing: ProbeTiming,
): number {
  const tolerance = toleranceOf(behaviour, count, timing);
  // Nothing shows whether lost requests were decided, or how.
  const below = admitted - lost - seen - tolerance;
  const canOvershoot = isLoose(behaviour) && count > 1 && admitted > 0;
  const above = canOvershoot ? 0 : seen - admitted - tolerance;
  const tooLate = late - lost - tolerance;
  // Only a queue delays requests; with other limiters, a response may be late because the server is slow.
  const isDelayed =
    behaviour.name === "queue" &&
    seen > 0 &&
    !isDelayedAlike(typicalUs, upperMedian(delaysUs), timing);
  return Math.max(0, below, above, tooLate, isDelayed ? 1 : 0);
}

/** Whether a limiter agrees with the responses of all groups. The comparison ends at the first wrong count. */
export const isAsSeen = (
  retelling: Retelling,
  groups: readonly GroupCounts[],
  { behaviour }: Compared,
  timing: ProbeTiming,
): boolean =>
  groups.every((group, index) => {
    const tolerance = toleranceOf(behaviour, group.count, timing);
    return (
      (isLoose(behaviour) || retelling.admitsAtLeast(index, group.admitted - tolerance)) &&
      !retelling.admitsMoreThan(index, group.admitted + group.lost + tolerance) &&
      distance(group, retelling.tallyOf(index), { behaviour }, timing) === 0
    );
  });

const isDelayedAlike = (seenUs: number, delayUs: number, timing: ProbeTiming): boolean =>
  Math.abs(seenUs - delayUs) <= slackUs(timing) + 0.03 * delayUs;

/** Key: the number of draws; value: the most that a count may be off all drawn ones, as a multiple of their range. */
const OUTSIDE: ReadonlyMap<number, number> = new Map([
  [3, 2],
  [6, 1],
  [12, 0],
]);

/** Whether an observed count is so far from all drawn ones that no further draw is tried. */
export function isFarOutside(
  misses: readonly Retelling[],
  groups: readonly GroupCounts[],
  { behaviour }: Compared,
  timing: ProbeTiming,
): boolean {
  const times = OUTSIDE.get(misses.length);
  return (
    times !== undefined &&
    groups.some((group, index) => {
      const tallies = misses.map((each) => each.tallyOf(index));
      const counts = tallies.map(({ admitted }) => admitted);
      const range = Math.max(...counts) - Math.min(...counts);
      return tallies.every(
        (tally) => distance(group, tally, { behaviour }, timing) > times * range,
      );
    })
  );
}

/** Whether two draws agree on a count that differs from the observed one: no other draw will fit then. */
export function isHopeless(
  misses: readonly Retelling[],
  groups: readonly GroupCounts[],
  { behaviour }: Compared,
  timing: ProbeTiming,
): boolean {
  const [first, second] = misses;
  if (first === undefined || second === undefined) return false;
  return groups.some((group, index) => {
    const [a, b] = [first.tallyOf(index), second.tallyOf(index)];
    return (
      a.admitted === b.admitted && distance(group, a, { behaviour }, timing) > 2 + group.count / 20
    );
  });
}

/** Whether each observed count is between drawn ones: counts depend on times that are not known exactly. */
export function isBetween(
  misses: readonly Retelling[],
  groups: readonly GroupCounts[],
  { behaviour }: Compared,
  timing: ProbeTiming,
): boolean {
  const isQueue = behaviour.name === "queue";
  return groups.every(
    ({ admitted: seen, typicalUs }, index) =>
      misses.some((each) => !each.admitsMoreThan(index, seen)) &&
      misses.some((each) => each.admitsAtLeast(index, seen)) &&
      (!isQueue ||
        seen === 0 ||
        misses.some((each) =>
          isDelayedAlike(typicalUs, upperMedian(each.tallyOf(index).delaysUs), timing),
        )),
  );
}
