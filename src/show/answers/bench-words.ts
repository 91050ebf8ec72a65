// Words that the answers about measurements use: for metrics, multiples and cells, and what disturbed a run.
import { figure, many } from "../../kit/reading/legible.ts";
import type { ConfidenceInterval } from "../../kit/stats/bootstrap.ts";
import type { AnswerSentence } from "../../lab/report/answer.ts";
import type { BenchCellResult } from "../../studies/bench/result.ts";
import { firstNames, limiterWords, sentenceCase } from "./words.ts";

/** "1.16 times". */
export const timesWords = (times: number): string => `${figure(times)} times`;

/** " (likely 1.02 to 1.3)"; empty if there is no range. */
export const likelyWords = (range: ConfidenceInterval | null): string =>
  range === null ? "" : ` (likely ${figure(range.low)} to ${figure(range.high)})`;

/** "a sliding log" for a cell that differs from the base in its algorithm, else the name of the cell. */
export const cellWords = ({ name, factors }: BenchCellResult): string =>
  factors !== null && (name === "base" || name === `algorithm=${factors.algorithm}`)
    ? limiterWords({ algorithm: factors.algorithm, profile: null })
    : name;

/** The same for the name alone, as comparisons have it. */
export function cellNameWords(name: string): string {
  const algorithm = /^algorithm=(\w+)$/.exec(name)?.[1];
  if (algorithm !== undefined) return limiterWords({ algorithm, profile: null });
  return name === "base" ? "the base cell" : name;
}

/** A sentence of a document, which begins with a small letter and has no full stop. */
export const asSentence = (text: string): string =>
  `${sentenceCase(text)}${/[.!?]$/.test(text) ? "" : "."}`;

const MOST_LISTED = 4;

/** At most four names: "a, b, c, d and 3 more". */
export const namesAndMore = (names: readonly string[]): string =>
  firstNames(names, MOST_LISTED, (count) => `${count} more`);

const METRIC_WORDS: ReadonlyMap<string, string> = new Map([
  ["cpu", "processor time of a request"],
  ["throughput", "answers a second"],
  ["p50", "median latency"],
  ["p99", "p99 of latency"],
  ["p99_admitted", "p99 of admitted requests"],
  ["p99_refused", "p99 of refused requests"],
  ["cpu_store", "processor time of the store for a request"],
  ["rss", "memory of the gateway"],
]);

/** Words for a metric of served gateways; a case of a suite of parts has its own name. */
export const metricWords = (metric: string): string => METRIC_WORDS.get(metric) ?? metric;

export const busySentence = (busy: string | null): AnswerSentence | null =>
  busy === null ? null : { id: "busy", text: asSentence(busy), numbers: {} };

/** `consequence` is the effect of failed requests on the result; it may be empty. */
export const errorsSentence = (errors: number, consequence: string): AnswerSentence | null =>
  errors === 0
    ? null
    : {
        id: "errors",
        text: `${many(errors, "request")} had no response, or an unexpected one${consequence}.`,
        numbers: { errors },
      };

export const OTHER_COST = ", and a failed request has another cost";
