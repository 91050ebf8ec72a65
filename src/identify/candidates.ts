// The behaviours to begin with: round numbers that the first refusal and the first recovery allow.
import { SECOND } from "../core/units.ts";
import type { LimitBehaviour, BehaviourName } from "./behaviour.ts";

/** What the first requests showed. */
export interface FirstFindings {
  readonly leastAdmitted: number; // up to the first refusal
  readonly mostAdmitted: number; // the same, if no lost request was refused
  readonly growingUs: number; // how long those took
  readonly blockedUs: number; // so long after it a request was still refused
  readonly recoveredUs: number; // so long after it one was admitted
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

/** A window may have been entered late, so that its end came early. */
const EARLIEST_EDGE = 60;

export function candidatesOf(findings: FirstFindings): readonly LimitBehaviour[] {
  const { leastAdmitted, mostAdmitted, growingUs, blockedUs, recoveredUs } = findings;
  const slackUs = 0.1 * recoveredUs + growingUs;
  const between =
    (fromUs: number, toUs: number) =>
    (us: number): boolean =>
      us >= fromUs && us <= toUs;
  const capacities = capacitiesFor(leastAdmitted, mostAdmitted);
  const all = (
    name: BehaviourName,
    spans: readonly number[],
    numbers: readonly number[],
  ): readonly LimitBehaviour[] =>
    spans.flatMap((spanUs) => numbers.map((capacity) => ({ name, capacity, spanUs })));
  const entered = spansUs.filter(between(0.8 * blockedUs - growingUs, recoveredUs + slackUs));
  const logged = spansUs.filter(between(0.25 * blockedUs - growingUs, recoveredUs + slackUs));
  const aligned = spansUs.filter(
    between(0.45 * blockedUs - growingUs, EARLIEST_EDGE * recoveredUs + growingUs),
  );
  const paced = intervalsUs.filter(between(0.8 * blockedUs, recoveredUs + slackUs));
  return [
    ...all(
      "window",
      entered,
      capacities.filter((each) => each > 1),
    ),
    ...all("clock_window", aligned, capacities),
    ...all("two_windows", aligned, capacities),
    ...all("log", logged, capacities),
    ...all("loose_log", logged, looseCapacitiesFor(mostAdmitted)),
    ...all("fixed_mark", logged, looseCapacitiesFor(mostAdmitted)),
    ...all("bucket", paced, capacities),
    ...all(
      "queue",
      paced,
      [...new Set([...capacities, ...capacities.map((each) => each + 1)])].filter(
        (each) => each > 1,
      ),
    ),
  ];
}

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

/** Whether people would write the number of requests. */
export const isRound = ({ name, capacity }: LimitBehaviour): boolean =>
  (RATES as readonly number[]).includes(name === "queue" ? capacity - 1 : capacity);
