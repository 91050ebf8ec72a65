// Words for the candidates of weir try: their names, and what they do with the requests.
import { rateWords } from "../../kit/reading/periods.ts";
import { percent, thousands } from "../../kit/reading/legible.ts";
import { middleOf, valuesOf } from "../../studies/try/draw-values.ts";
import type { TryRetry } from "../../studies/try/retries.ts";
import type { DrawFigures, TryRow, UnansweredTry } from "../../studies/try/result.ts";
import { durationText } from "../../studies/try/text.ts";
import { TRY_VALUES, type LeftOut, type TryCriterion } from "./try-choice.ts";
import {
  countWords,
  limiterWords,
  namesWords,
  rangeWords,
  sentenceCase,
  shareRange,
} from "./words.ts";

const CLIENTS = {
  none: "that do not retry",
  "retry-after": "that wait as Retry-After advises",
  backoff: "that back off",
  "full-jitter": "that back off with full jitter",
  "equal-jitter": "that back off with equal jitter",
  patient: "that back off up to a thousand times",
  stubborn: "that retry every second",
  "at-once": "that retry at once (after 0.1 s)",
  atb: "that adapt on their own (ATB)",
  aatb: "that adapt together (AATB)",
} as const satisfies Readonly<Record<TryRetry, string>>;

const isRetry = (name: string): name is TryRetry => name in CLIENTS;

/** "clients that back off". */
export const retryWords = (retry: string): string =>
  `clients ${isRetry(retry) ? CLIENTS[retry] : retry}`;

/** "at 60 per minute with clients that back off", as far as the candidates differ in it; may be empty. */
export function groupWords({ rate, perUs, retry }: TryRow, facts: UnansweredTry): string {
  const limits = new Set(facts.candidates.map(({ limit }) => limit)).size;
  return [
    ...(limits === 1 ? [] : [`at ${rateWords(rate, perUs)}`]),
    ...(facts.retries.length === 1 ? [] : [`with ${retryWords(retry)}`]),
  ].join(" ");
}

/** "GCRA or DRL"; of many the first ones and the number of the others. */
export const limitersWords = (rows: readonly TryRow[], word: "and" | "or"): string =>
  namesWords(rows.map(limiterWords), MOST_LIMITERS).replace(/ and (?=[^,]*$)/, ` ${word} `);

const MOST_LIMITERS = 5;

// ---------------------------------------------------------------- values of all draws

const countOf = (row: TryRow, valueOf: (draw: DrawFigures) => number): string =>
  countsWords(valuesOf(row, valueOf));

/** "none", "9", or "0 to 9". */
const countsWords = (counts: readonly number[]): string =>
  Math.max(...counts) === 0 ? countWords(0) : rangeWords(counts, thousands);

/** "of 9,000 requests", or "of about 6,000 requests" if each draw has another number. */
export function ofRequests(row: TryRow): string {
  const counts = valuesOf(row, ({ requests }) => requests);
  const isFixed = Math.min(...counts) === Math.max(...counts);
  return `of ${isFixed ? thousands(counts[0]) : `about ${thousands(Number(middleOf(counts).toPrecision(2)))}`} requests`;
}

/** "all 9,000 requests", or "all requests" if each draw has another number. */
function allRequests(row: TryRow): string {
  const count = ofRequests(row).replace(/^of /, "");
  return count.startsWith("about") ? "all requests" : `all ${count}`;
}

export const isNever = (row: TryRow, valueOf: (draw: DrawFigures) => number): boolean =>
  valuesOf(row, valueOf).every((value) => value === 0);

/** "refuses 122 of 3,297 requests", "leaves 3 of 300 requests unadmitted", "refuses 21,605 attempts". */
export function effectWords(row: TryRow, by: TryCriterion): string {
  const value = countOf(row, TRY_VALUES[by]);
  switch (by) {
    case "unadmitted":
      if (row.retry === "none") return `refuses ${value} ${ofRequests(row)}`;
      return isNever(row, TRY_VALUES.unadmitted)
        ? `admits ${allRequests(row)}`
        : `leaves ${value} ${ofRequests(row)} unadmitted`;
    case "refused":
      return row.retry === "none"
        ? `refuses ${value} ${ofRequests(row)}`
        : `refuses ${attemptsWords(row)}`;
    case "p99":
    case "median":
      return admissionWords(row, by);
  }
}

/** What follows a name after the effect of the best one: "28,700", or "leaves 113 unadmitted" where that admits all. */
export function valueWords(row: TryRow, by: TryCriterion, best: TryRow): string {
  switch (by) {
    case "unadmitted":
      return isNever(best, TRY_VALUES.unadmitted) && best.retry !== "none"
        ? `leaves ${countOf(row, TRY_VALUES.unadmitted)} unadmitted`
        : countOf(row, TRY_VALUES.unadmitted);
    case "refused":
      return countOf(row, TRY_VALUES.refused);
    case "p99":
    case "median":
      return waitWords(valuesOf(row, TRY_VALUES[by]));
  }
}

/** "21,605 attempts", "no attempt". */
export function attemptsWords(row: TryRow): string {
  const counts = valuesOf(row, TRY_VALUES.refused);
  const most = Math.max(...counts);
  return most === 0
    ? "no attempt"
    : `${countsWords(counts)} ${most === 1 ? "attempt" : "attempts"}`;
}

const PARTS = { p99: "99 %", median: "half" } as const;

const admissionWords = (row: TryRow, by: "p99" | "median"): string => {
  const waits = valuesOf(row, TRY_VALUES[by]);
  return waits.every((us) => us === Number.POSITIVE_INFINITY)
    ? `does not admit ${PARTS[by]} of the requests`
    : `admits ${PARTS[by]} of the requests ${waitWords(waits)}`;
};

/** "at once", "within 5 s to 7 s", "never", or "within 5 s or never" if only some draws admit them. */
export function waitWords(waitsUs: readonly number[]): string {
  const finite = waitsUs.filter(Number.isFinite);
  if (finite.length === 0) return "never";
  const within =
    Math.max(...finite) === 0 ? "at once" : `within ${rangeWords(finite, durationText)}`;
  return finite.length === waitsUs.length ? within : `${within} or never`;
}

/** The longest of all draws; null: only some draws, or none, admit that part. */
const upToWords = (waitsUs: readonly number[]): string | null =>
  waitsUs.every(Number.isFinite) ? durationText(Math.max(...waitsUs)) : null;

/** "70.2 %": the part of the requests that is admitted at any time. */
const admissionShare = (rows: readonly TryRow[]): string =>
  shareRange(rows.flatMap((row) => valuesOf(row, ({ admitted, requests }) => admitted / requests)));

/** "half of the requests do not wait", and the same for how long they wait. */
export function halfWords(row: TryRow): string {
  const waits = valuesOf(row, TRY_VALUES.median);
  const most = upToWords(waits);
  if (most === null)
    return waits.some(Number.isFinite)
      ? "only some draws admit half of the requests"
      : `only ${admissionShare([row])} of the requests are ever admitted`;
  return Math.max(...waits) === 0
    ? "half of the requests do not wait"
    : `half of the requests wait up to ${most}`;
}

export function longestWords(row: TryRow): string {
  const waits = valuesOf(row, TRY_VALUES.p99);
  const most = upToWords(waits);
  if (most !== null) return `99 % wait up to ${most}`;
  return waits.some(Number.isFinite)
    ? "only some draws admit 99 %"
    : `only ${admissionShare([row])} are ever admitted`;
}

/** The number of a criterion for JSON, which has none for a wait that never ends; a range has its ends too. */
export const numberOf = (
  row: TryRow,
  by: TryCriterion,
  name: string = by,
): Readonly<Record<string, number>> => rangeNumbers(name, valuesOf(row, TRY_VALUES[by]));

export function rangeNumbers(
  name: string,
  values: readonly number[],
): Readonly<Record<string, number>> {
  const [least, most] = [Math.min(...values), Math.max(...values)];
  const ends =
    least === most ? [] : [[`${name}From`, least] as const, [`${name}To`, most] as const];
  return Object.fromEntries(
    [[name, middleOf(values)] as const, ...ends].filter(([, value]) => Number.isFinite(value)),
  );
}

/** "admits all 9,000 requests after 21,605 refused attempts, half of the requests within 5 s", or what is missing. */
export function outcomeWords(row: TryRow): string {
  const waits = valuesOf(row, TRY_VALUES.median);
  const most = upToWords(waits);
  const half =
    most === null || Math.max(...waits) === 0
      ? ""
      : `, and half of the requests are admitted within ${most}`;
  if (isNever(row, TRY_VALUES.unadmitted)) {
    const after = isNever(row, TRY_VALUES.refused)
      ? "and refuses none"
      : `after ${attemptsWords(row).replace(/ (?=attempt)/, " refused ")}`;
    return `admits ${allRequests(row)} ${after}${half}`;
  }
  const ofAll = `${countOf(row, TRY_VALUES.unadmitted)} ${ofRequests(row)}`;
  return row.retry === "none"
    ? `refuses ${ofAll}${half}`
    : `leaves ${ofAll} unadmitted and refuses ${attemptsWords(row)}${half}`;
}

/** What all of these candidates do, in all draws. */
export function alikeWords(rows: readonly [TryRow, ...TryRow[]]): string {
  const all = (valueOf: (draw: DrawFigures) => number): readonly number[] =>
    rows.flatMap((row) => valuesOf(row, valueOf));
  const [refused, unadmitted] = [all(TRY_VALUES.refused), all(TRY_VALUES.unadmitted)];
  if (Math.max(...refused) === 0) return `each admits ${allRequests(rows[0])} and refuses none`;
  if (rows[0].retry === "none")
    return `each refuses ${countsWords(unadmitted)} ${ofRequests(rows[0])}`;
  const what =
    Math.max(...unadmitted) === 0
      ? `admits ${allRequests(rows[0])}`
      : `leaves ${countsWords(unadmitted)} ${ofRequests(rows[0])} unadmitted`;
  return `each ${what} and refuses ${countsWords(refused)} attempts`;
}

/** What some candidates do that a criterion leaves out: "28,618 to 36,778 attempts are refused with DRL and nginx." */
export function worseWords(by: TryCriterion, rows: LeftOut["rows"]): string {
  const [first] = rows as readonly [TryRow];
  const names = `with ${namesWords(rows.map(limiterWords))}`;
  const values = rows.flatMap((row) => valuesOf(row, TRY_VALUES[by]));
  const counts = rangeWords(values, thousands);
  switch (by) {
    case "unadmitted":
      return first.retry === "none"
        ? `${counts} ${ofRequests(first)} are refused ${names}.`
        : `${counts} ${ofRequests(first)} stay unadmitted ${names}.`;
    case "refused":
      return `${counts} attempts are refused ${names}.`;
    case "p99":
    case "median":
      return slowWords(PARTS[by], values, rows);
  }
}

function slowWords(part: string, waitsUs: readonly number[], rows: readonly TryRow[]): string {
  const names = sentenceCase(`with ${namesWords(rows.map(limiterWords))}`);
  const least = Math.min(...waitsUs);
  return Number.isFinite(least)
    ? `${names}, ${part} of the requests are admitted only after ${durationText(least)}${waitsUs.length === 1 ? "" : " or more"}.`
    : `${names}, only ${admissionShare(rows)} of the requests are ever admitted.`;
}

/** "33 %", or "31 % to 35 %": rounded unless nearly all. */
export const roundShares = (shares: readonly number[]): string =>
  rangeWords(shares, (share) =>
    share > 0.99 || share < 0.01 ? percent(share) : `${Math.round(share * 100)} %`,
  );
