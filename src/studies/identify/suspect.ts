// A suspect is a behaviour that the responses so far allow. Its limiter decides the same requests again, at times that the
// spans of the requests allow; where no such times give the responses, the behaviour is excluded.
import type { Rng } from "../../kit/chance/rng.ts";
import {
  intervalUsOf,
  isPaced,
  readsClock,
  weighsWindows,
  type LimitBehaviour,
} from "./behaviour.ts";
import { configurationOf } from "./behaviour-of.ts";
import { createLimitModel, type LimitModel } from "./model.ts";
import { Retelling, type GroupTally, type LimitPast } from "./retelling.ts";
import {
  createDraw,
  upperMedian,
  type GroupCounts,
  type ProbeEvidence,
  type ProbeTiming,
} from "./evidence.ts";
import type { ProbeGroup } from "./target.ts";

export interface Suspect {
  readonly behaviour: LimitBehaviour;
  readonly edgeUs: readonly [fromUs: number, toUs: number] | null;
  readonly model: LimitModel;
  readonly pasts: readonly LimitPast[];
  /** Dense bursts in which too many could have been admitted. */
  readonly exactBursts: number;
  readonly overshoots: number; // bursts in which too many were
  /** Groups whose responses came late without its doing, and those that a queue made as late as they were. */
  readonly unexplainedDelays: number;
  readonly explainedDelays: number;
}

/** `edgeUs`: of windows with times of their own, the span of time in which one of them begins. */
export const createSuspect = (
  behaviour: LimitBehaviour,
  edgeUs: Suspect["edgeUs"] = null,
): Suspect => ({
  behaviour,
  edgeUs,
  model: createLimitModel(configurationOf(behaviour)),
  pasts: [],
  exactBursts: 0,
  overshoots: 0,
  unexplainedDelays: 0,
  explainedDelays: 0,
});

function newPast(suspect: Suspect, { clockUs }: ProbeTiming, random: Rng | null): LimitPast {
  const { behaviour, edgeUs } = suspect;
  if (edgeUs !== null) {
    const [fromUs, toUs] = edgeUs;
    const atUs = fromUs + (random === null ? 0.5 : random.next()) * (toUs - fromUs);
    return { clockUs: Math.round(behaviour.spanUs - (atUs % behaviour.spanUs)), state: null };
  }
  const isDrawn = random !== null && readsClock(behaviour);
  return { clockUs: isDrawn ? Math.round((2 * random.next() - 1) * clockUs) : 0, state: null };
}

/** How far two clocks are apart is drawn again in part, or a few wrong guesses would exclude a behaviour. */
function shiftClock(
  past: LimitPast,
  suspect: Suspect,
  timing: ProbeTiming,
  random: Rng,
): LimitPast {
  const { behaviour, edgeUs, pasts } = suspect;
  if (!readsClock(behaviour)) return past;
  if (edgeUs !== null) {
    const clocks = pasts.map(({ clockUs }) => clockUs);
    const spreadUs = pasts.length > 0 ? Math.max(...clocks) - Math.min(...clocks) : 0;
    return { ...past, clockUs: past.clockUs + (1_000 + spreadUs / 8) * random.normal() };
  }
  const mostUs = timing.clockUs;
  const clockUs = past.clockUs + (mostUs / 8) * random.normal();
  return { ...past, clockUs: Math.max(-mostUs, Math.min(mostUs, clockUs)) };
}

/** Counts may differ by what is paid back within the uncertainty of a time. */
export const toleranceOf = (
  behaviour: LimitBehaviour,
  count: number,
  { tripUs }: ProbeTiming,
): number =>
  isPaced(behaviour) || weighsWindows(behaviour)
    ? Math.min(Math.floor(count / 2), Math.floor((1.5 * tripUs) / intervalUsOf(behaviour)))
    : 0;

/** What the limiter would do with these requests, each decided half a trip after it is sent. */
export function predictTallies(
  suspect: Suspect,
  groups: readonly ProbeGroup[],
  timing: ProbeTiming,
): readonly GroupTally[] {
  const planned = groups.flatMap(({ atUs, count, everyUs }, group) =>
    Array.from({ length: count }, (_, index) => ({
      atUs: atUs + index * everyUs + timing.tripUs / 2,
      group,
      isLost: false,
    })),
  );
  const [past = newPast(suspect, timing, null)] = suspect.pasts;
  return new Retelling(suspect, past, createDraw(planned, groups.length), timing).tallies();
}

/** When it admits again, if these requests are sent, and then as many as it takes until one is refused. */
export function recoveryUsOf(
  suspect: Suspect,
  groups: readonly Omit<ProbeGroup, "sender">[],
  timing: ProbeTiming,
): number {
  const { clockUs, state } = suspect.pasts[0] ?? newPast(suspect, timing, null);
  const limit = suspect.model.begin(state);
  let atUs = 0;
  for (const group of groups) {
    atUs = group.atUs + timing.tripUs / 2;
    for (let i = 0; i < group.count; i++) limit.decide(atUs + i * group.everyUs + clockUs);
  }
  for (;;) {
    const { refused, retryAfterUs } = limit.decide(atUs + clockUs);
    if (refused !== null) return atUs + retryAfterUs;
  }
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
  // Admitted requests may be slow for other reasons, such as the server that responds to them.
  const isDelayed =
    behaviour.name === "queue" &&
    seen > 0 &&
    !isDelayedAlike(typicalUs, upperMedian(delaysUs), timing);
  return Math.max(0, below, above, tooLate, isDelayed ? 1 : 0);
}

/** Whether each group did what the limiter did. Most that it did not are too many or too few long before their end. */
const isAsSeen = (
  retelling: Retelling,
  groups: readonly GroupCounts[],
  suspect: Suspect,
  timing: ProbeTiming,
): boolean =>
  groups.every((group, index) => {
    const tolerance = toleranceOf(suspect.behaviour, group.count, timing);
    return (
      (isLoose(suspect.behaviour) || retelling.admitsAtLeast(index, group.admitted - tolerance)) &&
      !retelling.admitsMoreThan(index, group.admitted + tolerance) &&
      distance(group, retelling.tallyOf(index), suspect, timing) === 0
    );
  });

/** One may be a coincidence. */
const ENOUGH_EXPLAINED = 2;

/** Nothing else but a queue delays requests as long as it would: then it is no slow server. */
export function withoutUnexplained(suspects: readonly Suspect[]): readonly Suspect[] {
  const isQueue = suspects.some(({ explainedDelays }) => explainedDelays >= ENOUGH_EXPLAINED);
  return isQueue
    ? suspects.filter(
        ({ behaviour, unexplainedDelays }) => behaviour.name === "queue" || unexplainedDelays === 0,
      )
    : suspects;
}

const isDelayedAlike = (seenUs: number, delayUs: number, timing: ProbeTiming): boolean =>
  Math.abs(seenUs - delayUs) <= slackUs(timing) + 0.03 * delayUs;

const DRAWS = 10;
/** Of the last few suspects each is worth a longer search. */
const MOST_DRAWS = 60;
const MOST_PASTS = 3;
/** Of windows with times of their own: each past has other times. */
const MOST_SHIFTED = 12;
const SHIFTED_DRAWS = 120;

/** Times that are not known exactly may be its cause, or nothing but another limit can. */
type Exclusion = "likely" | "certain";

export const isExclusion = (each: Suspect | Exclusion): each is Exclusion =>
  typeof each === "string";

/** The suspect after these responses, unless they exclude it. */
export function withResponses(
  suspect: Suspect,
  evidence: ProbeEvidence,
  timing: ProbeTiming,
  random: Rng,
  isOfFew = false,
): Suspect | Exclusion {
  const { groups, draw } = evidence;
  const matches: Retelling[] = [];
  const misses: Retelling[] = [];
  const isShifted = suspect.edgeUs !== null;
  const mostPasts = isShifted ? MOST_SHIFTED : MOST_PASTS;
  const most = isShifted ? SHIFTED_DRAWS : isOfFew ? MOST_DRAWS : DRAWS;
  for (let index = 0; index < most && matches.length < mostPasts; index++) {
    const { pasts } = suspect;
    const past = shiftClock(
      pasts[index % Math.max(1, pasts.length)] ??
        newPast(suspect, timing, index === 0 ? null : random),
      suspect,
      timing,
      random,
    );
    const times = draw(index, suspect.behaviour.name === "queue");
    const retelling = new Retelling(suspect, past, times, timing);
    (isAsSeen(retelling, groups, suspect, timing) ? matches : misses).push(retelling);
    if (index === 1 && !isOfFew && !isShifted && matches.length === 0)
      if (isHopeless(misses, groups, suspect, timing)) return "certain";
  }
  const chosen = matches.length > 0 ? matches : missesAround(misses, groups, suspect, timing);
  const [first] = chosen;
  if (first === undefined) return "likely";
  const surpluses = groups.map((group, at) => surplusOf(group, first.tallyOf(at)));
  // An exact log never admits more, whatever was before.
  const overshoots = groups.filter(
    ({ admitted }, at) => surpluses[at]! > 0 && admitted > suspect.behaviour.capacity,
  ).length;
  const exact = surpluses.reduce((sum, each) => sum + Math.min(1, each / DENSE), 0);
  const isQueue = suspect.behaviour.name === "queue";
  const late = groups.filter(({ typicalUs }) => typicalUs > 2 * slackUs(timing)).length;
  return {
    ...suspect,
    unexplainedDelays: suspect.unexplainedDelays + (isQueue ? 0 : late),
    explainedDelays: suspect.explainedDelays + (isQueue && matches.length > 0 ? late : 0),
    pasts: chosen.map((each) => each.past()),
    exactBursts: suspect.exactBursts + exact,
    overshoots: suspect.overshoots + overshoots,
  };
}

/** Two draws with the same counts, which are not those of the responses: no draw will have them. */
function isHopeless(
  misses: readonly Retelling[],
  groups: readonly GroupCounts[],
  suspect: Suspect,
  timing: ProbeTiming,
): boolean {
  const [first, second] = misses;
  if (first === undefined || second === undefined) return false;
  return groups.some((group, index) => {
    const [a, b] = [first.tallyOf(index), second.tallyOf(index)];
    return a.admitted === b.admitted && distance(group, a, suspect, timing) > 2 + group.count / 20;
  });
}

/** The times of requests decide what the counts are, and they are not known so exactly: some of draws whose counts are on both sides. */
function missesAround(
  misses: readonly Retelling[],
  groups: readonly GroupCounts[],
  suspect: Suspect,
  timing: ProbeTiming,
): readonly Retelling[] {
  if (suspect.edgeUs === null)
    return isBetween(misses, groups, suspect, timing) ? misses.slice(0, 1) : [];
  // Of windows with times of their own, others are other limits: no limit has a result between theirs.
  const sorted = misses.toSorted((a, b) => a.clockUs - b.clockUs);
  for (const [index, { clockUs }] of sorted.entries()) {
    const near = sorted.slice(index).filter((other) => other.clockUs - clockUs <= timing.tripUs);
    if (isBetween(near, groups, suspect, timing)) return near.slice(0, MOST_SHIFTED);
  }
  return [];
}

/** Whether each group has a count between those of the draws: the times decide it, and they are not known so exactly. */
function isBetween(
  misses: readonly Retelling[],
  groups: readonly GroupCounts[],
  { behaviour }: Suspect,
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

/** A burst with this many requests beyond the limit overlaps where the limit is reached. */
const DENSE = 100;

/** How many requests of a burst followed the one that reached the limit. */
const surplusOf = ({ count, lost }: GroupCounts, { admitted }: GroupTally): number =>
  admitted < 1 ? 0 : Math.max(0, count - lost - admitted);
