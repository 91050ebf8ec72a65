// A suspect is a behaviour that the responses so far allow. A model of its limiter starts from each possible past (see
// LimitPast) and decides the sent requests again. If no possible times give the responses, the suspect is excluded.
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
  readonly pasts: readonly LimitPast[]; // possible states of its limiter after the requests so far
  /** The number of dense bursts, in which a loose log could have admitted too many. Others add a fraction. */
  readonly exactBursts: number;
  readonly overshoots: number; // bursts that admitted too many
  readonly unexplainedDelays: number; // groups with late responses, if the behaviour is no queue
  readonly explainedDelays: number; // groups with late responses that the queue explains
}

/** Creates a suspect. `edgeUs`: the span of time in which a window begins, for windows at unknown times. */
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

/** Changes the drawn distance between the clocks a little, so that a few wrong draws do not exclude a behaviour. */
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
    // The change is at most about the uncertainty of times: a larger one would compensate for a wrong window length.
    const mostUs = 1_000 + Math.min(spreadUs / 8, doubtUs(timing));
    return { ...past, clockUs: past.clockUs + mostUs * random.normal() };
  }
  const mostUs = timing.clockUs;
  const clockUs = past.clockUs + (mostUs / 8) * random.normal();
  return { ...past, clockUs: Math.max(-mostUs, Math.min(mostUs, clockUs)) };
}

/** The number of overshoots that proves a loose log; a single overshoot may be a miscount. */
const ENOUGH_OVERSHOOTS = 2;

/** Whether a loose log still lacks overshoots, which alone distinguish it from an exact log. */
export const needsOvershoot = ({ behaviour, overshoots }: Suspect): boolean =>
  overshoots < ENOUGH_OVERSHOOTS && isLoose(behaviour);

/** The number of explained delays that proves a queue; a single delay may be a coincidence. */
const ENOUGH_EXPLAINED = 2;

/** If a queue explains several delays (a slow server would not match), removes others that leave delays unexplained. */
export function withoutUnexplained(suspects: readonly Suspect[]): readonly Suspect[] {
  const isQueue = suspects.some(({ explainedDelays }) => explainedDelays >= ENOUGH_EXPLAINED);
  return isQueue
    ? suspects.filter(
        ({ behaviour, unexplainedDelays }) => behaviour.name === "queue" || unexplainedDelays === 0,
      )
    : suspects;
}

/** How many draws are tried for a suspect: `thorough` if few suspects are left, `quick` if many are compared. */
export type Thoroughness = "quick" | "usual" | "thorough";

/** The most draws, by what is unknown. `shifted`: the windows begin at other times in each past. */
const DRAWS = {
  known: { quick: 6, usual: 10, thorough: 60 },
  // More draws, because the state of a paced limit includes a fraction of the next request.
  paced: { quick: 24, usual: 24, thorough: 80 },
  // Used until the distance between the clocks is known.
  clock: { quick: 24, usual: 24, thorough: 60 },
  shifted: { quick: 24, usual: 60, thorough: 120 },
} as const;
const MOST_PASTS = { known: 5, paced: 8, clock: 5, shifted: 12 } as const;
const MOST_QUICK = 3;

export interface Exclusion {
  readonly isCertain: boolean; // inexact times cannot have caused the exclusion
  readonly admitsTooMany: boolean; // in the first group that the suspect does not explain; false: too few
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
  // If a queue admits as many as observed but delays them less, its interval is too short.
  const isFaster = admitted === seen.admitted && upperMedian(delaysUs) < seen.typicalUs;
  return { isCertain, admitsTooMany: admitted > seen.admitted || isFaster };
};

/** Returns the suspect after these responses, or its exclusion. */
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
  // With lost requests several pasts are needed, because only later responses show which of them the limit decided.
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
  // Counts overshoots: an exact log never admits more than its capacity, whatever its past.
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

/** Returns draws with counts on both sides of the observed counts: times are inexact, so counts are too. */
function missesAround(
  misses: readonly Retelling[],
  groups: readonly GroupCounts[],
  suspect: Suspect,
  timing: ProbeTiming,
): readonly Retelling[] {
  if (suspect.edgeUs === null)
    return isBetween(misses, groups, suspect, timing) ? misses.slice(0, 1) : [];
  // Only draws with near edges are compared: distant edges are different limits, and no limit has counts between them.
  const sorted = misses.toSorted((a, b) => a.clockUs - b.clockUs);
  for (const [index, { clockUs }] of sorted.entries()) {
    const near = sorted.slice(index).filter((other) => other.clockUs - clockUs <= timing.tripUs);
    if (isBetween(near, groups, suspect, timing)) return near.slice(0, MOST_PASTS.shifted);
  }
  return [];
}

/** With this many requests above the limit, a burst has overlapping requests when the limit is reached. */
const DENSE = 100;

/** How many requests of a burst followed the one that reached the limit. */
const surplusOf = ({ count, lost }: GroupCounts, { admitted }: GroupTally): number =>
  admitted < 1 ? 0 : Math.max(0, count - lost - admitted);
