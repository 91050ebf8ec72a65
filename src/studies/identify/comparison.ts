// Whether the responses of an experiment are those of a limiter: counts and delays, as closely as times are known.
import { intervalUsOf, isPaced, weighsWindows, type LimitBehaviour } from "./behaviour.ts";
import { doubtUs, upperMedian, type GroupCounts, type ProbeTiming } from "./evidence.ts";
import type { GroupTally, Retelling } from "./retelling.ts";

interface Compared {
  readonly behaviour: LimitBehaviour;
}

/** Counts may differ by what is paid back within the uncertainty of a time. */
export const toleranceOf = (
  behaviour: LimitBehaviour,
  count: number,
  timing: ProbeTiming,
): number =>
  isPaced(behaviour) || weighsWindows(behaviour)
    ? Math.min(Math.floor(count / 2), Math.floor(doubtUs(timing) / intervalUsOf(behaviour)))
    : 0;

export const isLoose = ({ name }: LimitBehaviour): boolean =>
  name === "loose_log" || name === "fixed_mark";

/** Of two delays that differ by less, the network may be the cause. */
export const slackUs = ({ spreadUs }: ProbeTiming): number => 5_000 + 1.5 * spreadUs;

/** By how much the count of a group, or its delay, is not what the limiter did; 0: it is. */
export function distance(
  { count, admitted: seen, lost, typicalUs }: GroupCounts,
  { admitted, late, delaysUs }: GroupTally,
  { behaviour }: Compared,
  timing: ProbeTiming,
): number {
  const tolerance = toleranceOf(behaviour, count, timing);
  // Of those that were lost, nothing shows which were decided, nor how.
  const below = admitted - lost - seen - tolerance;
  const canOvershoot = isLoose(behaviour) && count > 1 && admitted > 0;
  const above = canOvershoot ? 0 : seen - admitted - tolerance;
  const tooLate = late - lost - tolerance;
  // Admitted requests may be slow for other reasons, such as the server that responds to them.
  const isDelayed =
    behaviour.name === "queue" &&
    seen > 0 &&
    !isDelayedAlike(typicalUs, upperMedian(delaysUs), timing);
  return Math.max(0, below, above, tooLate, isDelayed ? 1 : 0);
}

/** Whether each group did what the limiter did. Most that it did not are too many or too few long before their end. */
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

/** After as many draws, how many times the range of their counts the responses may be outside of it. */
const OUTSIDE: ReadonlyMap<number, number> = new Map([
  [3, 2],
  [6, 1],
  [12, 0],
]);

/** Whether a count is so far outside of those of the draws that no other draw is tried. */
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

/** Two draws with the same counts, which are not those of the responses: no draw will have them. */
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

/** Whether each group has a count between those of the draws: the times decide it, and they are not known so exactly. */
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
