// Decides which of the remaining suspects may be named, with numbers no more exact than they were measured.
import {
  classOf,
  intervalUsOf,
  isPaced,
  readsClock,
  restUsOf,
  type BehaviourName,
  type LimitBehaviour,
} from "./behaviour.ts";
import { doubtUs, type ProbeTiming } from "./evidence.ts";
import type { IdentifyStep, Prober } from "./prober.ts";
import { hasFewDigits, isConventionalPace, listRound, roundestBetween } from "./round-numbers.ts";
import { isLoose, slackUs } from "./comparison.ts";
import { freeSpanOf } from "./fit.ts";
import { needsOvershoot, type Suspect } from "./suspect.ts";
import { countOf } from "./target.ts";

/** After this many dense bursts without an overshoot, a log is considered exact. */
const ENOUGH_BURSTS = 3;
const PATIENT = 4;
const COUNT_DOUBT = 3;
const COUNT_SHARE = 0.03;
export const TOO_SLOW =
  "requests wait in a queue for longer than weir identify waits for a response";

/** The behaviour with its measured span: the round one if exactly one is within the bounds, else their middle. */
export function measureSpan(
  { behaviour }: Suspect,
  [fromUs, toUs]: readonly [number, number],
  timing: ProbeTiming | null = null,
): LimitBehaviour {
  if (fromUs === toUs) return behaviour;
  const doubt = timing === null ? 0 : spanDoubtUs(behaviour, timing);
  const [leastUs, mostUs] = [fromUs / AROUND - doubt, toUs * AROUND + doubt];
  const [round, other] = listRound(freeShapeOf(behaviour), leastUs, mostUs);
  // With windows counted from the first request, even a slightly different span moves the later windows.
  const isFitting =
    round !== undefined &&
    (behaviour.name !== "key_window" || Math.abs(round / behaviour.spanUs - 1) < ALMOST_SAME) &&
    (!isPaced(behaviour) || isConventionalPace(behaviour.capacity, round));
  const span =
    isFitting && other === undefined
      ? { spanUs: round }
      : { spanUs: (fromUs + toUs) / 2, rangeUs: [leastUs, mostUs] as const };
  return behaviour.second === undefined
    ? { ...behaviour, ...span }
    : { ...behaviour, second: { ...behaviour.second, ...span } };
}

/** Widens the bounds of a behaviour that was not confirmed: its slowest requests may have moved them. */
export function widenSpan(
  behaviour: LimitBehaviour,
  { spreadUs, lateUs }: ProbeTiming,
): LimitBehaviour {
  const { rangeUs, spanUs, capacity } = behaviour;
  if (rangeUs === undefined) return behaviour;
  const slowUs = Math.min(Math.max(spreadUs, lateUs), MOST_WIDENED * spanUs);
  const byUs = isPaced(behaviour) ? slowUs / capacity : slowUs;
  return { ...behaviour, rangeUs: [rangeUs[0] - byUs, rangeUs[1] + byUs] };
}

const MOST_WIDENED = 0.2;

/** The possible error of a span. A pace is measured over many intervals, unless the bucket was full meanwhile. */
const spanDoubtUs = (behaviour: LimitBehaviour, timing: ProbeTiming): number =>
  isPaced(behaviour)
    ? behaviour.spanUs *
      Math.min(MOST_PACE_DOUBT, (PACE_DOUBT * doubtUs(timing)) / restUsOf(behaviour))
    : IN_A_ROW.has(behaviour.name)
      ? 0
      : SPAN_DOUBT * doubtUs(timing);

/** Behaviours whose windows follow each other, so that many windows are measured at once. */
const IN_A_ROW: ReadonlySet<BehaviourName> = new Set(["key_window", "shifted_window"]);
const MOST_PACE_DOUBT = 0.03;
const PACE_DOUBT = 0.2;

/** Whether a suspect can imitate others, by windows at unknown times or clock steps, and has no single round span. */
export function isVague(suspect: Suspect, bounds: readonly [number, number]): boolean {
  const { behaviour } = suspect;
  if (behaviour.name === "key_window" || behaviour.name === "shifted_window")
    return measureSpan(suspect, bounds).rangeUs !== undefined;
  const isStepped = isPaced(behaviour) && readsClock(behaviour);
  const [fromUs, toUs] = bounds;
  return isStepped && listRound(behaviour, fromUs / AROUND, toUs * AROUND).length !== 1;
}

/** Times are inexact, so the true number may be outside the bounds by this factor. */
const AROUND = 1.003;
/** The true span may be outside the bounds by this multiple of the uncertainty of times. */
const SPAN_DOUBT = 0.5;

/** The first suspect; if suspects have two limits, the one whose first limit has the roundest window. */
export function pickRoundest(suspects: readonly Suspect[]): Suspect {
  const [first] = suspects;
  const { name, capacity, rangeUs } = first!.behaviour;
  const round = rangeUs === undefined ? null : roundestBetween({ name, capacity }, ...rangeUs);
  return suspects.find(({ behaviour }) => behaviour.spanUs === round) ?? first!;
}

const ALMOST_SAME = 2e-4;

/** The name and count of the limit whose span is free. */
export const freeShapeOf = ({ name, capacity, second }: LimitBehaviour) => ({
  name,
  capacity: second?.capacity ?? capacity,
});

const isNearCount = (count: number, other: number): boolean =>
  Math.abs(count - other) <= Math.max(COUNT_DOUBT, other * COUNT_SHARE);

function areSameButForCount(suspects: readonly Suspect[]): boolean {
  const { name, capacity } = suspects[0]!.behaviour;
  return suspects.every(
    ({ behaviour }) => behaviour.name === name && isNearCount(behaviour.capacity, capacity),
  );
}

/**
 * The range of the count of a paced limit: all remaining counts if nothing else differs, extended by the requests that
 * the limit regains while requests arrive.
 */
export function countRangeOf(
  suspects: readonly Suspect[],
  timing: ProbeTiming,
): LimitBehaviour["countRange"] {
  const [first] = suspects;
  if (first === undefined || !isPaced(first.behaviour)) return undefined;
  const own = suspects.filter(({ behaviour }) => behaviour.name === first.behaviour.name);
  const counts = own.map(({ behaviour }) => behaviour.capacity);
  const countIn = (us: number): number => Math.floor(us / first.behaviour.spanUs);
  const doubt = countIn(doubtUs(timing));
  const least = Math.min(...counts) - doubt - countIn(timing.tripUs);
  const most = Math.max(...counts) + doubt;
  return least < most && areSameButForCount(own) ? [Math.max(1, least), most] : undefined;
}

/** Behaviours that differ only in a detail, which may stay undecided. */
const ALIKE: readonly (readonly BehaviourName[])[] = [
  ["two_windows", "rounded_windows"],
  ["bucket", "whole_bucket"],
  ["window", "window_bucket"],
  ["stepped_bucket", "stepped_whole_bucket"],
  // Alike if the first request arrived at the start of a window of the clock.
  ["clock_window", "key_window"],
];

/**
 * The suspects that may be named together if no experiment separates them: simple before complex ones, round counts
 * before others, and behaviours that differ only in a detail. Null: they differ in more.
 */
export function settle(suspects: readonly Suspect[]): readonly Suspect[] | null {
  const left = preferSimple(suspects);
  const { capacity } = left[0]!.behaviour;
  if (!left.every(({ behaviour }) => isNearCount(behaviour.capacity, capacity))) return null;
  const round = withRoundCount(left);
  const isSingle = new Set(round.map(({ behaviour }) => behaviour.capacity)).size === 1;
  const chosen = isSingle ? round : left;
  const names = new Set(chosen.map(({ behaviour }) => behaviour.name));
  const isAlike =
    names.size === 1 || ALIKE.some((group) => [...names].every((name) => group.includes(name)));
  const isOneCount = new Set(chosen.map(({ behaviour }) => behaviour.capacity)).size === 1;
  const isPace = isPaced(chosen[0]!.behaviour);
  const spans = chosen.map(({ behaviour }) => freeSpanOf(behaviour));
  const isOneSpan = Math.max(...spans) <= MOST_RANGE * Math.min(...spans);
  return differInDetail(chosen) || (isAlike && isOneSpan && (isOneCount || isPace)) ? chosen : null;
}

/** Prefers exact logs, because a loose log explains everything that an exact one does. */
function preferSimple(suspects: readonly Suspect[]): readonly Suspect[] {
  const simple = suspects.filter(({ behaviour }) => !isLoose(behaviour));
  return simple.length > 0 ? simple : suspects;
}

/** Prefers round counts, else stepped windows whose count plus one is round: these may refuse their last request. */
function withRoundCount(suspects: readonly Suspect[]): readonly Suspect[] {
  const round = suspects.filter(({ behaviour }) => hasFewDigits(behaviour.capacity));
  return round.length > 0
    ? round
    : suspects.filter(
        ({ behaviour: { name, capacity } }) =>
          name === "stepped_window" && hasFewDigits(capacity + 1),
      );
}

/**
 * Whether the true count may differ from `capacity`, because responses were lost or too many requests were admitted.
 * A count that is not round may be a round one nearby. A round count is open only if responses were lost and a stepped
 * window explains them too: it may refuse its last request, so that its count is one below a round number.
 */
export function isCountOpen(
  suspects: readonly Suspect[],
  { capacity, name }: LimitBehaviour,
  steps: readonly IdentifyStep[],
): boolean {
  const isLossy = steps.some(({ groups }) => groups.some((each) => countOf(each, "lost") > 0));
  const share = Math.round(capacity * COUNT_SHARE);
  if (hasFewDigits(capacity))
    return (
      isLossy && share > 0 && suspects.some(({ behaviour }) => behaviour.name === "stepped_window")
    );
  const doubt = Math.max(1, share);
  const near = Array.from({ length: 2 * doubt + 1 }, (_, index) => capacity - doubt + index);
  return (isLoose({ name }) || isLossy) && near.some((each) => each > 0 && hasFewDigits(each));
}

/** Whether the limit regains enough requests within the uncertainty of times to explain even random refusals. */
export const isFlexible = ({ behaviour }: Suspect, timing: ProbeTiming): boolean =>
  isPaced(behaviour)
    ? behaviour.spanUs < FLEXIBLE_PACE * doubtUs(timing)
    : restUsOf(behaviour) < FLEXIBLE_WINDOW * doubtUs(timing);

const FLEXIBLE_PACE = 2;
const FLEXIBLE_WINDOW = 8;

export const MAY_BE_AT_RANDOM =
  "about the same share of requests is refused after any earlier traffic, so refusals may be random";

export const MAY_BE_IN_FLIGHT =
  "the window is as long as a response takes, so the limit may be one of requests in flight";

/** Whether the delays of a queue are below those of the network, so that nothing shows that requests wait. */
export const isTooFast = ({ behaviour }: Suspect, timing: ProbeTiming): boolean =>
  behaviour.name === "queue" && (behaviour.capacity - 1) * behaviour.spanUs < 2 * slackUs(timing);

/** Whether a limit regains all its requests so soon that no experiment can show it used up. */
export const isNeverUsedUp = (
  { behaviour: { name, capacity, spanUs } }: Suspect,
  timing: ProbeTiming,
): boolean => isPaced({ name }) && capacity * spanUs < 2 * doubtUs(timing);

export const NEVER_USED_UP = "the limit regains requests faster than times can be measured";

export const TOO_FAST =
  "responses are late, but their times do not show whether a queue or the network delays them";

/** If the bounds of a number differ by a larger factor, it is not named. */
export const MOST_RANGE = 1.06;
export const NUMBERS_OPEN =
  "one behaviour is left, but its numbers were not measured exactly enough";

export const COUNT_OPEN =
  "how many requests the limit admits is inexact: responses were lost, or simultaneous requests exceed the limit";

export const NOT_CONFIRMED =
  "one behaviour is left, but the caps allow no experiment to confirm it";

/** Behaviours too similar to distinguish with these times, even if the responses excluded them. */
function indistinctOf(
  behaviour: LimitBehaviour,
  { tripUs }: ProbeTiming,
): readonly LimitBehaviour[] {
  const intervalUs = intervalUsOf(behaviour);
  const { name } = behaviour;
  const others = (names: readonly BehaviourName[]): readonly LimitBehaviour[] =>
    names.includes(name) ? names.map((each) => ({ ...behaviour, name: each })) : [];
  return [
    ...(intervalUs < 2 * tripUs ? others(["two_windows", "rounded_windows"]) : []),
    ...(intervalUs < 2 * tripUs ? others(["bucket", "whole_bucket"]) : []),
  ];
}

const distinct = (behaviours: readonly LimitBehaviour[]): readonly LimitBehaviour[] =>
  behaviours.filter(
    ({ name, capacity }, index) =>
      behaviours.findIndex((other) => other.name === name && other.capacity === capacity) === index,
  );

/** Other behaviours that no experiment within the caps distinguishes from `first`. */
export const listAlike = (
  first: LimitBehaviour,
  measured: readonly LimitBehaviour[],
  { timing, steps, suspects }: Pick<Prober, "timing" | "steps" | "suspects">,
): readonly LimitBehaviour[] =>
  distinct([
    first,
    ...measured,
    ...indistinctOf(first, timing),
    ...listPrecise(first, suspects, steps, timing),
  ])
    .slice(1)
    .filter(({ name }) => first.countRange === undefined || name !== first.name);

/** Lists the clock windows, or windows counted from the first request, that a `shifted_window` may really be. */
function listPrecise(
  named: LimitBehaviour,
  suspects: readonly Suspect[],
  steps: readonly IdentifyStep[],
  { tripUs, clockUs: mostUs }: ProbeTiming,
): readonly LimitBehaviour[] {
  const { name, spanUs, rangeUs } = named;
  if (name !== "shifted_window" || rangeUs !== undefined) return [];
  const firstUs = steps[0]!.groups[0]!.responses[0]!.sentUs + tripUs / 2;
  const edges = suspects.flatMap(({ edgeUs }) => (edgeUs === null ? [] : [edgeUs]));
  /** Whether one of the windows from `startUs` on begins at a measured edge. */
  const isNear = (startUs: number, doubt: number): boolean =>
    edges.some(([fromUs, toUs]) => {
      const latest = Math.floor((toUs + doubt - startUs) / spanUs) * spanUs + startUs;
      return latest >= fromUs - doubt;
    });
  return [
    ...(isNear(0, mostUs) ? [{ ...named, name: "clock_window" as const }] : []),
    ...(isNear(firstUs, tripUs) ? [{ ...named, name: "key_window" as const }] : []),
  ];
}

/** Whether even the next request waits in a queue for longer than the client waits, so that no queue can be seen. */
export const isTooSlow = ({ behaviour: { name, spanUs } }: Suspect, patienceUs: number): boolean =>
  name === "queue" && spanUs > 0.9 * patienceUs;

/** Removes loose logs that never overshot in enough bursts. If an exact log is left, fewer bursts are enough. */
export function withoutLoose(suspects: readonly Suspect[]): readonly Suspect[] {
  const isExactLeft = suspects.some(({ behaviour }) => !isLoose(behaviour));
  const enough = ENOUGH_BURSTS * (isExactLeft ? 1 : PATIENT);
  return suspects.filter((suspect) => !needsOvershoot(suspect) || suspect.exactBursts < enough);
}

/** Removes windows at unknown times if windows at known times are left: the former explain whatever the latter do. */
export const withoutVague = (suspects: readonly Suspect[]): readonly Suspect[] =>
  suspects.filter(
    ({ behaviour: { name, capacity, spanUs } }) =>
      name !== "shifted_window" ||
      !suspects.some(
        ({ behaviour: other }) =>
          PRECISE.has(other.name) &&
          other.capacity === capacity &&
          Math.abs(other.spanUs / spanUs - 1) < ALMOST,
      ),
  );

const ALMOST = 0.05;

export const PRECISE: ReadonlySet<string> = new Set(["clock_window", "key_window"]);

/** Whether algorithm, numbers and windows agree, so that only a detail is undecided. */
const differInDetail = (suspects: readonly Suspect[]): boolean => {
  const first = suspects[0]!.behaviour;
  const kind = classOf(first);
  return suspects.every(({ behaviour }) => {
    const { algorithms, windows } = classOf(behaviour);
    return (
      algorithms[0] === kind.algorithms[0] &&
      windows === kind.windows &&
      behaviour.capacity === first.capacity &&
      Math.abs(behaviour.spanUs / first.spanUs - 1) < ALMOST
    );
  });
};
