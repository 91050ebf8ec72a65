// A suspect is a behaviour that the responses so far allow. Its limiter decides the same requests again, at times that the
// spans of the requests allow; where no such times give the responses, the behaviour is excluded.
import type { Rng } from "../../kit/chance/rng.ts";
import { isPaced, readsClock, type LimitBehaviour } from "./behaviour.ts";
import { modelOf } from "./behaviour-of.ts";
import {
  distance,
  isAsSeen,
  isBetween,
  isFarOutside,
  isHopeless,
  isLoose,
  slackUs,
} from "./comparison.ts";
import type { LimitModel } from "./model.ts";
import { Retelling, type GroupTally, type LimitPast } from "./retelling.ts";
import {
  doubtUs,
  upperMedian,
  type GroupCounts,
  type ProbeEvidence,
  type ProbeTiming,
} from "./evidence.ts";

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
  model: modelOf(behaviour),
  pasts: [],
  exactBursts: 0,
  overshoots: 0,
  unexplainedDelays: 0,
  explainedDelays: 0,
});

export function newPast(suspect: Suspect, { clockUs }: ProbeTiming, random: Rng | null): LimitPast {
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
    // No more than times are uncertain by, or a length that is a little wrong would be made up for by ever other edges.
    const mostUs = 1_000 + Math.min(spreadUs / 8, doubtUs(timing));
    return { ...past, clockUs: past.clockUs + mostUs * random.normal() };
  }
  const mostUs = timing.clockUs;
  const clockUs = past.clockUs + (mostUs / 8) * random.normal();
  return { ...past, clockUs: Math.max(-mostUs, Math.min(mostUs, clockUs)) };
}

/** A single one may be a miscount. */
const ENOUGH_OVERSHOOTS = 2;

/** Nothing else shows that it is not exact. */
export const needsOvershoot = ({ behaviour, overshoots }: Suspect): boolean =>
  overshoots < ENOUGH_OVERSHOOTS && isLoose(behaviour);

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

/** Of the last few suspects each is worth a longer search; of many numbers each is only compared. */
export type Thoroughness = "quick" | "usual" | "thorough";

/** Of windows with times of their own each past has other times. */
const DRAWS = {
  known: { quick: 6, usual: 10, thorough: 60 },
  // Of what comes back one by one, the fraction of the next one is carried on.
  paced: { quick: 24, usual: 24, thorough: 80 },
  // Until it is known how far the clocks are apart.
  clock: { quick: 24, usual: 24, thorough: 60 },
  shifted: { quick: 24, usual: 60, thorough: 120 },
} as const;
const MOST_PASTS = { known: 5, paced: 8, clock: 5, shifted: 12 } as const;
const MOST_QUICK = 3;

export interface Exclusion {
  readonly isCertain: boolean; // times that are not known exactly cannot be its cause
  readonly admitsTooMany: boolean; // in the first group that it does not explain; otherwise too few
}

export const isExclusion = (each: Suspect | Exclusion): each is Exclusion => "isCertain" in each;

const exclusionOf = (
  isCertain: boolean,
  [first]: readonly Retelling[],
  groups: readonly GroupCounts[],
  suspect: Suspect,
  timing: ProbeTiming,
): Exclusion => {
  const at = groups.findIndex(
    (group, index) => distance(group, first!.tallyOf(index), suspect, timing) > 0,
  );
  const { admitted, delaysUs } = first!.tallyOf(Math.max(0, at));
  const seen = groups[Math.max(0, at)]!;
  // Of a queue that admits as many, a longer delay is a longer interval.
  const isFaster = admitted === seen.admitted && upperMedian(delaysUs) < seen.typicalUs;
  return { isCertain, admitsTooMany: admitted > seen.admitted || isFaster };
};

/** The suspect after these responses, unless they exclude it. */
export function withResponses(
  suspect: Suspect,
  evidence: readonly ProbeEvidence[],
  timing: ProbeTiming,
  random: Rng,
  thoroughness: Thoroughness = "usual",
): Suspect | Exclusion {
  let next = suspect;
  for (const each of evidence) {
    const result = withGroups(next, each, timing, random, thoroughness);
    if (isExclusion(result)) return result;
    next = result;
  }
  return next;
}

export function withGroups(
  suspect: Suspect,
  { groups, draw, isFirst }: ProbeEvidence,
  timing: ProbeTiming,
  random: Rng,
  thoroughness: Thoroughness,
): Suspect | Exclusion {
  const matches: Retelling[] = [];
  const misses: Retelling[] = [];
  const isShifted = suspect.edgeUs !== null;
  const isQuick = thoroughness === "quick";
  const isClock = readsClock(suspect.behaviour) && suspect.pasts.length === 0;
  const kind = isShifted
    ? "shifted"
    : isClock
      ? "clock"
      : isPaced(suspect.behaviour)
        ? "paced"
        : "known";
  // Where some were lost, it may be known only later which of them were decided.
  const isSingle =
    isQuick &&
    kind === "known" &&
    !readsClock(suspect.behaviour) &&
    suspect.pasts.length <= 1 &&
    groups.every(({ lost }) => lost === 0);
  const mostPasts = isSingle ? 1 : isShifted && isQuick ? MOST_QUICK : MOST_PASTS[kind];
  const most = DRAWS[kind][thoroughness];
  for (let index = 0; index < most && matches.length < mostPasts; index++) {
    const { pasts } = suspect;
    const known =
      pasts[index % Math.max(1, pasts.length)] ??
      newPast(suspect, timing, index === 0 ? null : random);
    const past = isFirst ? shiftClock(known, suspect, timing, random) : known;
    const times = draw(index, suspect.behaviour.name === "queue");
    const retelling = new Retelling(suspect, past, times, timing);
    (isAsSeen(retelling, groups, suspect, timing) ? matches : misses).push(retelling);
    if (matches.length > 0 || isShifted) continue;
    if (index === 1 && thoroughness !== "thorough")
      if (isHopeless(misses, groups, suspect, timing))
        return exclusionOf(true, misses, groups, suspect, timing);
    if (isQuick && isFarOutside(misses, groups, suspect, timing))
      return exclusionOf(false, misses, groups, suspect, timing);
  }
  const chosen = matches.length > 0 ? matches : missesAround(misses, groups, suspect, timing);
  const [first] = chosen;
  if (first === undefined) return exclusionOf(false, misses, groups, suspect, timing);
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
    if (isBetween(near, groups, suspect, timing)) return near.slice(0, MOST_PASTS.shifted);
  }
  return [];
}

/** A burst with this many requests beyond the limit overlaps where the limit is reached. */
const DENSE = 100;

/** How many requests of a burst followed the one that reached the limit. */
const surplusOf = ({ count, lost }: GroupCounts, { admitted }: GroupTally): number =>
  admitted < 1 ? 0 : Math.max(0, count - lost - admitted);
