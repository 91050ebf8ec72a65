// The behaviours to begin with: round numbers that the first refusal and the first recovery allow.
import { SECOND } from "../../kit/units.ts";
import { isPaced, isSameSpan, type BehaviourName, type LimitBehaviour } from "./behaviour.ts";
import { countSavedUp } from "./behaviour-of.ts";

/** What the first requests showed. */
export interface FirstFindings {
  readonly leastAdmitted: number; // up to the first refusal
  readonly mostAdmitted: number; // the same, if no lost request was refused
  readonly growingUs: number; // how long those took
  readonly blockedUs: number; // so long after it a request was still refused
  readonly recoveredUs: number; // so long after it one was admitted
  /** The last refusal of that wait was sent at the first time, and the admission received at the second. */
  readonly edgeUs: readonly [fromUs: number, toUs: number];
}

const SPANS_S = [
  1, 2, 3, 4, 5, 6, 10, 12, 15, 20, 30, 60, 120, 300, 600, 900, 1_800, 3_600,
] as const;
const RATES = [
  1, 2, 3, 4, 5, 6, 8, 10, 12, 15, 20, 25, 30, 40, 50, 60, 75, 80, 100, 120, 125, 150, 200, 240,
  250, 300, 400, 500, 600, 750, 800, 1_000, 1_200, 1_500, 2_000, 2_500, 3_000, 5_000, 10_000,
] as const;
/** Intervals are a span of these divided by a rate. */
const RATED_SPANS_S = [1, 2, 5, 10, 15, 30, 60, 300, 600, 3_600] as const;

const spansUs = SPANS_S.map((seconds) => seconds * SECOND);

const intervalsUs: readonly number[] = [
  ...new Set(RATED_SPANS_S.flatMap((seconds) => RATES.map((rate) => (seconds * SECOND) / rate))),
].toSorted((a, b) => a - b);

/** Windows in whole seconds, of which the last one counts or not. */
const steppedSpansUs = [
  ...new Set(SPANS_S.flatMap((seconds) => [seconds * SECOND, (seconds + 1) * SECOND])),
].filter((us) => us > SECOND);

/** A window may have been entered late, so that its end came early. */
const EARLIEST_EDGE = 60;

export function candidatesOf(findings: FirstFindings): readonly LimitBehaviour[] {
  const { leastAdmitted, mostAdmitted, growingUs, blockedUs, recoveredUs } = findings;
  const latestUs = 1.1 * recoveredUs + growingUs;
  const between =
    (fromUs: number, toUs: number) =>
    (us: number): boolean =>
      us >= fromUs && us <= toUs;
  const capacities = capacitiesFor(leastAdmitted, mostAdmitted);
  const several = capacities.filter((each) => each > 1);
  // The last request of a window may be refused.
  const oneLess = RATES.map((rate) => rate - 1).filter(
    (each) => each >= Math.max(1, mostAdmitted / 3) && each <= mostAdmitted,
  );
  const all = (
    name: BehaviourName,
    spans: readonly number[],
    numbers: readonly number[],
  ): readonly LimitBehaviour[] =>
    spans.flatMap((spanUs) => numbers.map((capacity) => ({ name, capacity, spanUs })));
  const entered = spansUs.filter(between(0.8 * blockedUs - growingUs, latestUs));
  // Refused requests move the end, so that it is seen late.
  const moved = spansUs.filter(between(0.25 * blockedUs - growingUs, latestUs));
  const countedOn = spansUs.filter(between(0.12 * blockedUs - growingUs, latestUs));
  const aligned = spansUs.filter(
    between(0.45 * blockedUs - growingUs, EARLIEST_EDGE * recoveredUs + growingUs),
  );
  const stepped = steppedSpansUs.filter(
    between(0.8 * blockedUs - growingUs - SECOND, latestUs + SECOND),
  );
  const paced = intervalsUs.filter(between(0.8 * blockedUs, latestUs));
  const pacedInSteps = intervalsUs.filter(between(0.8 * blockedUs - SECOND, latestUs));
  const loose = looseCapacitiesFor(mostAdmitted);
  return [
    ...all("window", entered, several),
    ...all("clock_window", aligned, capacities),
    ...all("key_window", aligned, capacities),
    ...all("extended_window", moved, several),
    ...all("stepped_window", stepped, [...new Set([...capacities, ...oneLess])]).filter(
      ({ capacity, spanUs }) => capacity > 1 || spanUs > 2 * SECOND,
    ),
    ...all("two_windows", aligned, capacities),
    ...all("rounded_windows", aligned, several),
    ...all("request_windows", moved, several),
    ...all("counted_windows", countedOn, capacities),
    ...all("log", moved, capacities),
    ...all("free_log", entered, several),
    ...all("blocked_log", entered, capacities),
    ...all("loose_log", moved, loose),
    ...all("fixed_mark", moved, loose),
    ...all("bucket", paced, capacities),
    ...all("whole_bucket", paced, several),
    ...all("window_bucket", entered, several),
    ...paced.map((spanUs) => ({
      name: "credit_bucket" as const,
      capacity: countSavedUp(spanUs),
      spanUs,
    })),
    ...all("stepped_bucket", pacedInSteps, several).filter(isSteppedPace),
    ...all("stepped_whole_bucket", pacedInSteps, several).filter(isSteppedPace).filter(losesPart),
    ...all(
      "queue",
      paced,
      [...new Set([...capacities, ...capacities.map((each) => each + 1)])].filter(
        (each) => each > 1,
      ),
    ),
  ];
}

/** Windows whose edges nothing is known of but that one is in the wait. Few end during the first requests. */
export const listShifted = (
  { leastAdmitted, growingUs }: FirstFindings,
  candidates: readonly LimitBehaviour[],
): readonly LimitBehaviour[] =>
  candidates.flatMap((each) =>
    each.name === "clock_window" &&
    (each.capacity >= leastAdmitted || growingUs > EARLY_END * each.spanUs)
      ? [{ ...each, name: "shifted_window" as const }]
      : [],
  );

const EARLY_END = 0.2;

/** Slower than full each second, and its numbers are round. */
const isSteppedPace = ({ capacity, spanUs }: LimitBehaviour): boolean =>
  capacity * spanUs > SECOND * 1.0001 &&
  (isAnyOf(spansUs, capacity * spanUs) || isAnyOf(RATES, SECOND / spanUs));

const losesPart = ({ spanUs }: LimitBehaviour): boolean =>
  Math.abs(SECOND / spanUs - Math.round(SECOND / spanUs)) > 1e-6;

const isAnyOf = (values: readonly number[], value: number): boolean =>
  values.some((each) => Math.abs(each - value) < 1e-6 * each);

/** The count itself, or a round one below it: a window may have ended between, or a bucket refilled. */
const capacitiesFor = (leastAdmitted: number, mostAdmitted: number): readonly number[] => [
  ...new Set([
    ...RATES.filter((rate) => rate <= mostAdmitted && rate >= mostAdmitted / 3),
    ...(mostAdmitted <= 12 ? Array.from({ length: mostAdmitted }, (_, i) => i + 1) : []),
    leastAdmitted,
    mostAdmitted,
  ]),
];

/** Requests at once may all have been admitted, whatever the limit is. */
const looseCapacitiesFor = (mostAdmitted: number): readonly number[] => [
  ...new Set([...RATES.filter((rate) => rate <= mostAdmitted), mostAdmitted]),
];

/** Whether its window, or its interval, is one of those to begin with. */
export function hasRoundSpan(behaviour: LimitBehaviour): boolean {
  if (behaviour.name === "stepped_window") return isSpanOf(steppedSpansUs, behaviour.spanUs);
  return isPaced(behaviour)
    ? isSpanOf(intervalsUs, behaviour.spanUs)
    : isRoundWindow(behaviour.spanUs);
}

export const isRoundWindow = (us: number): boolean => isSpanOf(spansUs, us);

const isSpanOf = (spans: readonly number[], us: number): boolean =>
  spans.some((each) => isSameSpan(us, each));

export const isRoundRate = (rate: number): boolean => (RATES as readonly number[]).includes(rate);

/** Whether people would write the number of requests. Of a window in whole seconds the last one may be refused. */
export function isRound({ name, capacity }: LimitBehaviour): boolean {
  const written = name === "queue" ? [capacity - 1] : [capacity];
  const numbers = name === "stepped_window" ? [capacity, capacity + 1] : written;
  return numbers.some(isRoundRate);
}
