// Words that the answers about measurements use: for metrics, multiples and cells, and what disturbed a run.
import { ALGORITHMS } from "../../limiter/core/algorithms.ts";
import { figure, many } from "../../kit/reading/legible.ts";
import type { ConfidenceInterval } from "../../kit/stats/bootstrap.ts";
import type { AnswerSentence } from "../../lab/report/answer.ts";
import { metricWords, type CaseWords } from "../../studies/bench/metric-words.ts";
import type { BenchCellResult } from "../../studies/bench/result.ts";
import { limiterWords, sentenceCase } from "./words.ts";

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

const COUNTS_ONLY = "bare Map";

/** "a sliding log" for a candidate with the name of an algorithm, else its name. */
export const partWords = (name: string): string =>
  name === COUNTS_ONLY
    ? `a ${name} that only counts`
    : (ALGORITHMS as readonly string[]).includes(name)
      ? limiterWords({ algorithm: name, profile: null })
      : name;

/** Words for the name of a cell alone, as comparisons have it. */
function cellNameWords(name: string): string {
  const algorithm = /^algorithm=(\w+)$/.exec(name)?.[1];
  if (algorithm !== undefined) return limiterWords({ algorithm, profile: null });
  return name === "base" ? "the base cell" : name;
}

/** A sentence of a document, which begins with a small letter and has no full stop. */
export const asSentence = (text: string): string =>
  `${sentenceCase(text)}${/[.!?]$/.test(text) ? "" : "."}`;

/** "processor time of a request for a sliding log", or "one decision at 10,000 keys (weir)" for a case of parts. */
export const gateWords = (cell: string, metric: string, cases: CaseWords = {}): string =>
  cases[metric] === undefined
    ? `${metricWords(metric)} for ${cellNameWords(cell)}`
    : `${cases[metric]} (${partWords(cell)})`;

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
