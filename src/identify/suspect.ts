// A suspect is a behaviour that the responses so far allow. Its limiter decides the same requests again, at times that the
// spans of the requests allow; where no such times give the responses, the behaviour is excluded.
import type { Rng } from "../chance/rng.ts";
import { configurationOf, intervalUsOf, isPaced, type LimitBehaviour } from "./behaviour.ts";
import { createLimitModel, type LimitModel, type LimitState } from "./model.ts";
import { countOf, type ProbedGroup, type ProbeGroup } from "./target.ts";

/** Times of the network, as far as they are known. */
export interface ProbeTiming {
  readonly tripUs: number; // of a usual request, there and back
  readonly spreadUs: number; // by how much more than that a request takes that is not delayed
  readonly clockUs: number; // by how much the clocks of client and server may differ
  readonly patienceUs: number;
}

/** One possible past: what the counters are if each request was decided at a time that its span allows. */
interface Past {
  readonly clockUs: number; // the server's clock is ahead by this
  readonly state: LimitState | null; // after its last request
}

export interface Suspect {
  readonly behaviour: LimitBehaviour;
  readonly model: LimitModel;
  readonly pasts: readonly Past[];
  /** Dense bursts in which too many could have been admitted. */
  readonly exactBursts: number;
  readonly overshoots: number; // bursts in which too many were
  /** Requests without a response in the last experiments: the counters may be as far off. */
  readonly lost: number;
}

export const createSuspect = (behaviour: LimitBehaviour): Suspect => ({
  behaviour,
  model: createLimitModel(configurationOf(behaviour)),
  pasts: [],
  exactBursts: 0,
  overshoots: 0,
  lost: 0,
});

/** One of the values; 0 if there are none. */
export const quantile = (values: readonly number[], part: number): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length * part)] ?? 0;

/** Of two values the larger one. One slow response among several changes it little. */
export const upperMedian = (values: readonly number[]): number => quantile(values, 0.5);

/** What a limiter did with one group. */
export interface GroupTally {
  readonly admitted: number;
  readonly late: number; // admitted, and delayed beyond the patience of the client
  readonly lostAdmitted: number; // of the admitted: the client got no response
  readonly delaysUs: readonly number[]; // of the admitted
}

interface Planned {
  readonly atUs: number;
  readonly group: number;
  readonly isLost: boolean;
}

export const readsClock = ({ name }: LimitBehaviour): boolean =>
  name === "clock_window" || name === "two_windows";

const newPast = ({ behaviour }: Suspect, { clockUs }: ProbeTiming, random: Rng | null): Past => ({
  clockUs:
    random !== null && readsClock(behaviour) ? Math.round((2 * random.next() - 1) * clockUs) : 0,
  state: null,
});

/** How far two clocks are apart is drawn again in part, or a few wrong guesses would exclude a behaviour. */
function shiftClock(
  past: Past,
  { behaviour }: Suspect,
  { clockUs: mostUs }: ProbeTiming,
  random: Rng,
): Past {
  if (!readsClock(behaviour)) return past;
  const clockUs = past.clockUs + (mostUs / 8) * random.normal();
  return { ...past, clockUs: Math.max(-mostUs, Math.min(mostUs, clockUs)) };
}

/** Longer than this, a response was delayed, not the network slow. */
const SLOW_TRIPS = 3;

/** The responses of one experiment, as every suspect is compared with them. */
export interface ProbeEvidence {
  readonly groups: readonly GroupCounts[];
  /** Times that the spans of the responses allow; the first has the middle of each. All suspects share them. */
  readonly draw: (index: number) => readonly Planned[];
}

interface GroupCounts {
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
  const draws: (readonly Planned[])[] = [];
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
    draw: (index) => (draws[index] ??= drawTimes(groups, timing, index === 0 ? null : random)),
  };
}

function drawTimes(
  groups: readonly ProbedGroup[],
  { tripUs }: ProbeTiming,
  random: Rng | null,
): readonly Planned[] {
  const planned: Planned[] = [];
  for (const [group, { responses }] of groups.entries())
    for (const { sentUs, receivedUs, outcome } of responses) {
      const isLost = outcome === "lost" || outcome === "other";
      if (isLost && random !== null && random.next() < 0.5) continue;
      const spanUs = isLost ? tripUs : Math.min(receivedUs - sentUs, SLOW_TRIPS * tripUs);
      const part = random === null ? 0.5 : 0.1 + 0.8 * random.next();
      planned.push({ atUs: sentUs + part * spanUs, group, isLost });
    }
  return planned.toSorted((a, b) => a.atUs - b.atUs);
}

interface Retold {
  readonly past: Past;
  readonly tallies: readonly GroupTally[];
}

/** Decides these requests after the past. */
function decideAfter(
  { model }: Suspect,
  { clockUs, state }: Past,
  planned: readonly Planned[],
  groups: number,
  { patienceUs, tripUs }: ProbeTiming,
): Retold {
  const limit = model.begin(state);
  const tallies = Array.from({ length: groups }, () => ({
    admitted: 0,
    late: 0,
    lostAdmitted: 0,
    delaysUs: [] as number[],
  }));
  for (const { atUs, group, isLost } of planned) {
    const { refused, delayUs } = limit.decide(atUs + clockUs);
    const tally = tallies[group]!;
    if (refused !== null) continue;
    if (delayUs > patienceUs - tripUs) tally.late++;
    else {
      tally.admitted++;
      if (isLost) tally.lostAdmitted++;
      tally.delaysUs.push(delayUs);
    }
  }
  return { past: { clockUs, state: limit.end() }, tallies };
}

/** Counts may differ by what is paid back within the uncertainty of a time. */
export const toleranceOf = (
  behaviour: LimitBehaviour,
  count: number,
  { tripUs }: ProbeTiming,
): number =>
  isPaced(behaviour) || behaviour.name === "two_windows"
    ? Math.min(Math.floor(count / 2), Math.floor((1.5 * tripUs) / intervalUsOf(behaviour)))
    : 0;

/** What the limiter would do with these requests, each decided half a trip after it is sent. */
export function predictTallies(
  suspect: Suspect,
  groups: readonly ProbeGroup[],
  timing: ProbeTiming,
): readonly GroupTally[] {
  const planned = groups
    .flatMap(({ atUs, count, everyUs }, group) =>
      Array.from({ length: count }, (_, index) => ({
        atUs: atUs + index * everyUs + timing.tripUs / 2,
        group,
        isLost: false,
      })),
    )
    .toSorted((a, b) => a.atUs - b.atUs);
  const [past = newPast(suspect, timing, null)] = suspect.pasts;
  return decideAfter(suspect, past, planned, groups.length, timing).tallies;
}

export const isLoose = ({ name }: LimitBehaviour): boolean =>
  name === "loose_log" || name === "fixed_mark";

/** Of two delays that differ by less, the network may be the cause. */
export const slackUs = ({ spreadUs }: ProbeTiming): number => 5_000 + 1.5 * spreadUs;

/** A single one may be a miscount. */
const ENOUGH_OVERSHOOTS = 2;

/** With one request at a time, only too many at once show that it is not exact. */
export const needsOvershoot = ({ behaviour, overshoots }: Suspect): boolean =>
  overshoots < ENOUGH_OVERSHOOTS &&
  (behaviour.name === "loose_log" || (behaviour.name === "fixed_mark" && behaviour.capacity === 1));

/** By how much the count of a group, or its delay, is not what the limiter did; 0: it is. */
function distance(
  { count, admitted: seen, lost, typicalUs }: GroupCounts,
  { admitted, late, lostAdmitted, delaysUs }: GroupTally,
  { behaviour }: Suspect,
  timing: ProbeTiming,
): number {
  const tolerance = toleranceOf(behaviour, count, timing);
  const below = admitted - lostAdmitted - seen - tolerance;
  const canOvershoot = isLoose(behaviour) && count > 1 && admitted > 0;
  const above = canOvershoot ? 0 : seen - admitted - tolerance;
  const tooLate = late - lost - tolerance;
  const isDelayed = seen > 0 && !isDelayedAlike(typicalUs, upperMedian(delaysUs), timing);
  return Math.max(0, below, above, tooLate, isDelayed ? 1 : 0);
}

const isDelayedAlike = (seenUs: number, delayUs: number, timing: ProbeTiming): boolean =>
  Math.abs(seenUs - delayUs) <= slackUs(timing) + 0.03 * delayUs;

const DRAWS = 10;
/** Of the last few suspects each is worth a longer search. */
const MOST_DRAWS = 60;
const MOST_PASTS = 3;

/** The suspect after these responses; null: they exclude it. */
export function withResponses(
  suspect: Suspect,
  evidence: ProbeEvidence,
  timing: ProbeTiming,
  random: Rng,
  isOfFew = false,
): Suspect | null {
  const { groups, draw } = evidence;
  const matches: Retold[] = [];
  const misses: Retold[] = [];
  const most = isOfFew ? MOST_DRAWS : DRAWS;
  for (let index = 0; index < most && matches.length < MOST_PASTS; index++) {
    const { pasts } = suspect;
    const past = shiftClock(
      pasts[index % Math.max(1, pasts.length)] ??
        newPast(suspect, timing, index === 0 ? null : random),
      suspect,
      timing,
      random,
    );
    const retold = decideAfter(suspect, past, draw(index), groups.length, timing);
    const isMatch = retold.tallies.every(
      (tally, at) => distance(groups[at]!, tally, suspect, timing) === 0,
    );
    (isMatch ? matches : misses).push(retold);
    if (index === 1 && !isOfFew && matches.length === 0)
      if (isHopeless(misses, groups, suspect, timing)) break;
  }
  const chosen =
    matches.length > 0 ? matches : isBetween(misses, groups, timing) ? misses.slice(0, 1) : [];
  const [first] = chosen;
  if (first === undefined) return null;
  const lost = groups.reduce((sum, group) => sum + group.lost, 0);
  const surpluses = groups.map((group, at) => surplusOf(group, first.tallies[at]!));
  const doubt = 1.5 * (suspect.lost + lost);
  const overshoots = groups.filter(
    ({ admitted }, at) => surpluses[at]! > 0 && admitted > first.tallies[at]!.admitted + doubt,
  ).length;
  const exact = surpluses.reduce((sum, each) => sum + Math.min(1, each / DENSE), 0);
  return {
    ...suspect,
    pasts: chosen.map(({ past }) => past),
    exactBursts: suspect.exactBursts + exact,
    overshoots: suspect.overshoots + overshoots,
    lost: suspect.lost / 2 + lost,
  };
}

/** Two draws with the same counts, which are not those of the responses: no draw will have them. */
function isHopeless(
  misses: readonly Retold[],
  groups: readonly GroupCounts[],
  suspect: Suspect,
  timing: ProbeTiming,
): boolean {
  const [first, second] = misses;
  if (first === undefined || second === undefined) return false;
  return groups.some((group, index) => {
    const [a, b] = [first.tallies[index]!, second.tallies[index]!];
    return a.admitted === b.admitted && distance(group, a, suspect, timing) > 2 + group.count / 20;
  });
}

/** Whether each group has a count between those of the draws: the times decide it, and they are not known so exactly. */
function isBetween(
  misses: readonly Retold[],
  groups: readonly GroupCounts[],
  timing: ProbeTiming,
): boolean {
  return groups.every(({ admitted: seen, typicalUs }, index) => {
    const counts = misses.map(({ tallies }) => tallies[index]!);
    return (
      counts.some(({ admitted, lostAdmitted }) => admitted - lostAdmitted <= seen) &&
      counts.some(({ admitted }) => admitted >= seen) &&
      counts.some(
        ({ delaysUs }) => seen === 0 || isDelayedAlike(typicalUs, upperMedian(delaysUs), timing),
      )
    );
  });
}

/** A burst with this many requests beyond the limit overlaps where the limit is reached. */
const DENSE = 100;

/** How many requests of a burst followed the one that reached the limit. */
const surplusOf = ({ count, lost }: GroupCounts, { admitted }: GroupTally): number =>
  admitted < 1 ? 0 : Math.max(0, count - lost - admitted);
