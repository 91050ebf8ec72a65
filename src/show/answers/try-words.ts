// Words for the candidates of weir try: their names, and what they do with the requests.
import { rateWords } from "../../kit/reading/periods.ts";
import { countText, plural, thousands } from "../../kit/reading/legible.ts";
import type { TryRetry } from "../../studies/try/retries.ts";
import type { TryRow, UnansweredTry } from "../../studies/try/result.ts";
import { durationText } from "../../studies/try/text.ts";
import { TRY_VALUES, type LeftOut, type TryCriterion } from "./try-choice.ts";
import { countWords, limiterWords, namesWords, rangeWords, sentenceCase } from "./words.ts";

const CLIENTS = {
  none: "that do not retry",
  "retry-after": "that wait as Retry-After advises",
  backoff: "that back off",
  "full-jitter": "that back off with full jitter",
  "equal-jitter": "that back off with equal jitter",
  patient: "that back off up to a thousand times",
  stubborn: "that retry every second",
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

/** "refuses 122 of 3,297 requests", "leaves 3 of 300 requests unadmitted", "refuses 21,605 attempts". */
export function effectWords(row: TryRow, by: TryCriterion): string {
  const { gaveUp, requests, refusedAttempts, retry, successUs } = row;
  const ofAll = `of ${thousands(requests)} requests`;
  switch (by) {
    case "unadmitted":
      if (retry === "none") return `refuses ${countWords(gaveUp)} ${ofAll}`;
      return gaveUp === 0
        ? `admits all ${thousands(requests)} requests`
        : `leaves ${countWords(gaveUp)} ${ofAll} unadmitted`;
    case "refused":
      if (retry === "none") return `refuses ${countWords(refusedAttempts)} ${ofAll}`;
      return `refuses ${attemptsWords(refusedAttempts)}`;
    case "p99":
      return admissionWords("99 %", successUs.p99);
    case "median":
      return admissionWords("half", successUs.median);
  }
}

/** What follows a name after the effect of the best one: "28,700", or "leaves 113 unadmitted" where that admits all. */
export function valueWords(row: TryRow, by: TryCriterion, best: TryRow): string {
  switch (by) {
    case "unadmitted":
      return best.gaveUp === 0 && best.retry !== "none"
        ? `leaves ${countWords(row.gaveUp)} unadmitted`
        : countWords(row.gaveUp);
    case "refused":
      return countWords(row.refusedAttempts);
    case "p99":
      return waitWords(row.successUs.p99);
    case "median":
      return waitWords(row.successUs.median);
  }
}

export const attemptsWords = (count: number): string =>
  count === 0 ? "no attempt" : countText(count, "attempt");

const admissionWords = (part: string, us: number | null): string =>
  us === null
    ? `does not admit ${part} of the requests`
    : `admits ${part} of the requests ${waitWords(us)}`;

const waitWords = (us: number | null): string =>
  us === 0 ? "at once" : us === null ? "never" : `within ${durationText(us)}`;

/** The number of a criterion for JSON, which has none for a wait that never ends. */
export function numberOf(
  row: TryRow,
  by: TryCriterion,
  name: string = by,
): Readonly<Record<string, number>> {
  const value = TRY_VALUES[by](row);
  return Number.isFinite(value) ? { [name]: value } : {};
}

/** "admits all 9,000 requests after 21,605 refused attempts, half of the requests within 5 s", or what is missing. */
export function outcomeWords({
  requests,
  gaveUp,
  refusedAttempts,
  retry,
  successUs: { median },
}: TryRow): string {
  const half =
    median === null || median === 0
      ? ""
      : `, and half of the requests are admitted within ${durationText(median)}`;
  if (gaveUp === 0)
    return `admits all ${thousands(requests)} requests ${refusedAttempts === 0 ? "and refuses none" : `after ${thousands(refusedAttempts)} refused ${plural(refusedAttempts, "attempt")}`}${half}`;
  const ofAll = `${thousands(gaveUp)} of ${thousands(requests)} requests`;
  return retry === "none"
    ? `refuses ${ofAll}${half}`
    : `leaves ${ofAll} unadmitted and refuses ${attemptsWords(refusedAttempts)}${half}`;
}

/** What all of these candidates do. */
export function alikeWords(rows: readonly [TryRow, ...TryRow[]]): string {
  const [{ requests }] = rows;
  const admitted = rows.map((row) => row.admitted);
  const refused = rows.map((row) => row.refusedAttempts);
  const least = Math.min(...admitted);
  return `each admits ${least === requests ? "all" : `${rangeWords(admitted, thousands)} of`} ${thousands(requests)} requests and refuses ${Math.max(...refused) === 0 ? "none" : `${rangeWords(refused, thousands)} attempts`}`;
}

/** What some candidates do that a criterion leaves out: "28,618 to 36,778 attempts are refused with DRL and nginx." */
export function worseWords(by: TryCriterion, rows: LeftOut["rows"]): string {
  const { requests, retry } = rows[0]!;
  const names = `with ${namesWords(rows.map(limiterWords))}`;
  const ofAll = `of ${thousands(requests)} requests`;
  const counts = rangeWords(rows.map(TRY_VALUES[by]), thousands);
  switch (by) {
    case "unadmitted":
      return retry === "none"
        ? `${counts} ${ofAll} are refused ${names}.`
        : `${counts} ${ofAll} stay unadmitted ${names}.`;
    case "refused":
      return `${counts} attempts are refused ${names}.`;
    case "p99":
      return slowWords("99 %", rows.map(TRY_VALUES.p99), names);
    case "median":
      return slowWords("half", rows.map(TRY_VALUES.median), names);
  }
}

function slowWords(part: string, waitsUs: readonly number[], names: string): string {
  const least = Math.min(...waitsUs);
  return Number.isFinite(least)
    ? `${sentenceCase(names)}, ${part} of the requests are admitted only after ${durationText(least)}${waitsUs.length === 1 ? "" : " or more"}.`
    : `${sentenceCase(names)}, fewer than ${part} of the requests are ever admitted.`;
}
