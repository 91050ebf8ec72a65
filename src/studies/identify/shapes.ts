// The shapes of the first suspects, with the observed counts, and with bounds between which the span is free.
import { SECOND } from "../../kit/units.ts";
import { isPaced, type BehaviourName } from "./behaviour.ts";
import type { ShapeDraft } from "./fit.ts";
import { listRoundSpans, hasFewDigits } from "./round-numbers.ts";

/** What the first requests showed. */
export interface FirstFindings {
  readonly leastAdmitted: number; // admitted before the first refusal
  readonly mostAdmitted: number; // as `leastAdmitted`, if every lost request was admitted
  readonly growingUs: number; // time from the first request to the first refusal
  readonly blockedUs: number; // time after the first refusal at which a request was still refused
  readonly recoveredUs: number; // time after the first refusal at which a request was admitted
  readonly waits: readonly MeasuredWait[];
  /** How many simultaneous requests were admitted after a rest. `slowCounts`: how many requests sent one by one. */
  readonly restedCounts: readonly CountRange[];
  readonly slowCounts: readonly CountRange[];
}

/** A count with bounds, because nothing shows whether requests without a response were admitted. */
export type CountRange = readonly [least: number, most: number];

/** A wait that was measured: the limit was used up, and tried until it admitted again. */
export interface MeasuredWait {
  readonly counts: CountRange; // requests admitted until the limit was used up
  /** When the last refusal was sent, and when the admission was received. */
  readonly edgeUs: readonly [fromUs: number, toUs: number];
  readonly waitUs: CountRange | null; // times since the limit was used up: of the last refusal and the admission
  readonly isNext: boolean; // all requests since the previous edge were refused
}

/** A window may be this many times longer than the wait, because requests may have begun near its end. */
const EARLIEST_EDGE = 60;
const MOST_COUNTS = 8;
/** The most requests by which refills during a burst may raise its count above the size of the bucket. */
const MOST_REFILLED = 3;
const FEW_COUNTS = 4;
/** If the bursts grew for longer than this share of the first wait, they may have filled several windows. */
const UNEVEN = 0.5;

/** Drafts the first shapes. Windows shorter than `resolutionUs` cannot be seen. */
export function draftShapes(findings: FirstFindings, resolutionUs: number): readonly ShapeDraft[] {
  const { growingUs, recoveredUs } = findings;
  const blockedUs = Math.max(findings.blockedUs, recoveredUs / 1_000);
  const latestUs = 1.2 * recoveredUs + growingUs;
  const counts = countsOf(findings);
  const several = counts.filter((each) => each > 1);
  const paced = countsAtPace(findings, Math.ceil(resolutionUs / blockedUs));
  const shape = (
    name: BehaviourName,
    numbers: readonly number[],
    [fromUs, toUs]: readonly [number, number],
    spansUs: readonly number[] | null = null,
  ): readonly ShapeDraft[] =>
    numbers.map((capacity) => ({
      name,
      capacity,
      fromUs: isPaced({ name }) ? fromUs : Math.max(fromUs, resolutionUs),
      toUs: Math.max(toUs, resolutionUs),
      edgeUs: null,
      spansUs: spansUs?.filter((us) => us >= resolutionUs) ?? null,
      isUneven: !isPaced({ name }) && growingUs > UNEVEN * recoveredUs,
    }));
  const within = (part: number): readonly [number, number] => [
    Math.max(part * blockedUs - growingUs, blockedUs / 20),
    latestUs,
  ];
  const entered = within(0.8);
  const moved = within(0.25);
  const counted = within(0.12);
  const longestUs = Math.max(...findings.waits.map(({ waitUs }) => waitUs?.[1] ?? 0));
  const aligned = [
    Math.max(0.45 * blockedUs - growingUs, blockedUs / 20),
    Math.max(EARLIEST_EDGE * recoveredUs + growingUs, 1.2 * longestUs),
  ] as const;
  const byClock = listRoundSpans(...aligned);
  const atEdges = byClock.filter((us) => findings.waits.every((wait) => hasEdgeIn(wait, us)));
  const [fromUs, toUs] = entered;
  const stepped = listSeconds(fromUs, toUs);
  const steppedToo = [...new Set(stepped.flatMap((us) => [us, us + SECOND]))];
  const pace = [blockedUs * 0.8, latestUs] as const;
  const slower = [Math.max(blockedUs * 0.8 - SECOND, blockedUs / 20, 1_000), latestUs] as const;
  // A loose log may admit all simultaneous requests; those sent one after the other show its limit.
  const loose = pickCounts(findings.slowCounts);
  return [
    ...shape("window", several, entered),
    ...shape("clock_window", counts, aligned, atEdges),
    ...shape("extended_window", several, moved),
    ...shape("stepped_window", counts, entered, steppedToo).filter(
      ({ capacity }) => capacity > 1 || toUs > 2 * SECOND,
    ),
    ...shape("two_windows", counts, aligned, byClock),
    // Only two counts, because weights in whole requests take long to compute.
    ...shape("rounded_windows", several.slice(0, 2), aligned, byClock),
    ...shape("request_windows", several, moved),
    ...shape("counted_windows", counts, counted),
    ...shape("log", counts, moved),
    ...shape("free_log", several, entered),
    ...shape("blocked_log", counts, entered),
    ...shape("loose_log", loose, moved),
    ...shape("fixed_mark", loose, moved),
    ...shape("bucket", paced, pace),
    ...shape("whole_bucket", paced.filter(isSeveral), pace),
    ...shape("window_bucket", several, entered),
    ...shape("credit_bucket", [1], pace),
    ...["stepped_bucket" as const, "stepped_whole_bucket" as const].flatMap((name) =>
      // A bucket that is full again each second equals a clock window, so it is left out.
      paced.flatMap((each) =>
        each > 1 && toUs > SECOND / each
          ? shape(name, [each], [Math.max(slower[0], (1.001 * SECOND) / each), slower[1]])
          : [],
      ),
    ),
    ...shape(
      "queue",
      [...new Set(paced.flatMap((each) => [each, each + 1]))].filter(isSeveral),
      pace,
    ),
  ];
}

/** Whether a window of the clock may begin between the last refusal and the admission. */
const hasEdgeIn = ({ edgeUs: [fromUs, toUs] }: MeasuredWait, spanUs: number): boolean =>
  Math.floor((toUs + CLOCK_DOUBT_US) / spanUs) * spanUs >= fromUs - CLOCK_DOUBT_US;

const CLOCK_DOUBT_US = 50_000;
const MOST_SECONDS = 400;

/** Spans of whole seconds, at least two. If there are many, only those with few digits. */
function listSeconds(fromUs: number, toUs: number): readonly number[] {
  const first = Math.max(2, Math.floor(fromUs / SECOND));
  const all = Array.from(
    { length: Math.max(0, Math.ceil(toUs / SECOND) - first + 1) },
    (_, index) => first + index,
  );
  const chosen = all.length <= MOST_SECONDS ? all : all.filter(hasFewDigits);
  return chosen.map((seconds) => seconds * SECOND);
}

const isSeveral = (count: number): boolean => count > 1;

/** The observed counts. Ranges that overlap, because responses were lost, are joined. */
function countsOf(findings: FirstFindings): readonly number[] {
  const { leastAdmitted, mostAdmitted, waits, restedCounts, slowCounts } = findings;
  const seen: readonly CountRange[] = [
    ...restedCounts,
    ...slowCounts,
    ...waits.map(({ counts }) => counts),
    [leastAdmitted, mostAdmitted],
  ];
  return pickCounts(seen).slice(0, MOST_COUNTS);
}

function pickCounts(seen: readonly CountRange[]): readonly number[] {
  const shared = seen.map((range) =>
    seen.reduce<CountRange>(([least, most], [otherLeast, otherMost]) => {
      const both: CountRange = [Math.max(least, otherLeast), Math.min(most, otherMost)];
      return both[0] <= both[1] ? both : [least, most];
    }, range),
  );
  const round = seen.flatMap((range) => listCounts(range).filter(hasFewDigits));
  return [...new Set([...shared.flatMap(pickFrom), ...round])].filter((each) => each > 0);
}

const listCounts = ([least, most]: CountRange): readonly number[] =>
  Array.from({ length: most - least + 1 }, (_, index) => least + index);

/** Counts in a range: all if they are few, otherwise its ends and numbers with few digits. */
function pickFrom(range: CountRange): readonly number[] {
  const all = listCounts(range);
  return all.length <= FEW_COUNTS
    ? all
    : all.filter((each, index) => index % (all.length - 1) === 0 || hasFewDigits(each));
}

/** Possible capacities of a bucket: the counts of bursts at a full bucket, less the requests regained meanwhile. */
function countsAtPace(
  { restedCounts, leastAdmitted, mostAdmitted }: FirstFindings,
  refilledMost: number,
): readonly number[] {
  const full = pickCounts([...restedCounts, [leastAdmitted, mostAdmitted]]);
  const all = full.flatMap((each) =>
    Array.from(
      { length: Math.min(MOST_REFILLED, refilledMost) + 1 },
      (_, refilled) => each - refilled,
    ),
  );
  return [...new Set(all)].filter((each) => each > 0).slice(0, 3 * MOST_COUNTS);
}

/**
 * Drafts windows that follow each other at unknown times. The limit was used up right after each measured edge, so the
 * next edge is one window later. The last edge is the start of a window, from which the times of all others follow.
 */
export function draftShifted(findings: FirstFindings): readonly ShapeDraft[] {
  const { waits } = findings;
  const first = Math.max(
    0,
    waits.findLastIndex(({ isNext }) => !isNext),
  );
  const edges = waits.slice(first).map(({ edgeUs }) => edgeUs);
  const last = edges.at(-1)!;
  const spans = edges.slice(0, -1).map(([fromUs, toUs], index): readonly [number, number] => {
    const windows = edges.length - 1 - index;
    return [(last[0] - toUs) / windows, (last[1] - fromUs) / windows];
  });
  if (spans.length === 0) return [];
  const fromUs = Math.max(1_000, ...spans.map(([least]) => least / ALMOST));
  const toUs = Math.min(...spans.map(([, most]) => most * ALMOST));
  if (fromUs > toUs) return [];
  return countsOf(findings).map((capacity) => ({
    name: "shifted_window",
    capacity,
    fromUs,
    toUs,
    edgeUs: last,
    spansUs: null,
  }));
}

const ALMOST = 1.002;

/** Drafts windows counted from the first request, one for each number of windows until the measured edge. */
export function draftSinceFirst(
  { edgeUs, capacity, fromUs, toUs }: ShapeDraft,
  firstUs: number,
): readonly ShapeDraft[] {
  if (edgeUs === null) return [];
  const [earliestUs, latestUs] = edgeUs.map((us) => us - firstUs) as [number, number];
  const least = Math.max(1, Math.floor(earliestUs / toUs));
  const most = Math.ceil(latestUs / fromUs);
  // With many windows in between, every time would be the start of some window.
  if (most - least >= MOST_SINCE_FIRST) return [];
  return Array.from({ length: most - least + 1 }, (_, index) => ({
    name: "key_window",
    capacity,
    fromUs: (earliestUs - AROUND_EDGE_US) / (least + index),
    toUs: (latestUs + AROUND_EDGE_US) / (least + index),
    edgeUs: null,
    spansUs: null,
  }));
}

const MOST_SINCE_FIRST = 12;
const AROUND_EDGE_US = 10_000;
