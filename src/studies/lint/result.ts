// The document of weir lint: responses, and each dialect with its verdict and findings.
import { z } from "zod";
import { answerSchema } from "../../lab/report/answer.ts";
import {
  DIALECTS,
  FINDING_CODES,
  HEADER_VERDICTS,
} from "../../limiter/limit-headers/advertised.ts";
import { judgeHeaders, mostBeforeRefusal } from "../../limiter/limit-headers/judge.ts";
import type { JudgedExchange } from "../../limiter/limit-headers/exchange.ts";

const LINT_FORMAT = "weir-lint/1";

const count = z.int().min(0);
const keysOf = <T extends object>(table: T): [keyof T & string] =>
  Object.keys(table) as [keyof T & string];

const finding = z.strictObject({
  code: z.enum(keysOf(FINDING_CODES)),
  severity: z.enum(["error", "warning"]),
  header: z.string().nullable(),
  column: z.int().min(1).nullable(),
  message: z.string(),
  fix: z.string(),
  responses: z.array(count).readonly(),
});

const dialect = z.strictObject({
  dialect: z.enum(keysOf(DIALECTS)),
  title: z.string(),
  verdict: z.enum(HEADER_VERDICTS),
  open: z.array(z.string()).readonly(),
  headers: z.array(z.string()).readonly(),
  limit: count.nullable(),
  windowSeconds: count.nullable(),
  resetForm: z.string().nullable(),
  waits: z.strictObject({ enough: count, short: count, needed: count, long: count }),
  findings: z.array(finding).readonly(),
});

const response = z.strictObject({
  sentAt: z.iso.datetime(),
  milliseconds: z.number().min(0),
  status: z.int(),
  /** Only headers about limits, and Date, because others may be secret. */
  headers: z.array(z.tuple([z.string(), z.string()]).readonly()).readonly(),
});

const lintResult = z.strictObject({
  format: z.literal(LINT_FORMAT),
  answer: answerSchema,
  source: z.string(),
  ended: z.string(),
  admitted: count,
  refused: count,
  other: count,
  /** The most requests that were admitted one after the other before a refusal; null: no request was refused. */
  mostBeforeRefusal: count.nullable(),
  verdict: z.enum(HEADER_VERDICTS),
  dialects: z.array(dialect).readonly(),
  responses: z.array(response).readonly(),
});

export type LintResult = z.infer<typeof lintResult>;

export type UnansweredLint = Omit<LintResult, "answer">;
export type LintedDialect = LintResult["dialects"][number];

export const lintSchema = (): unknown => z.toJSONSchema(lintResult);

/** `source` is the URL or the file, `ended` the reason why no more requests were sent. */
export function buildResult(
  source: string,
  ended: string,
  exchanges: readonly JudgedExchange[],
): UnansweredLint {
  const dialects = judgeHeaders(exchanges);
  const total = (outcome: string): number =>
    exchanges.filter((exchange) => exchange.outcome === outcome).length;
  return {
    format: LINT_FORMAT,
    source,
    ended,
    admitted: total("admitted"),
    refused: total("refused"),
    other: total("other"),
    mostBeforeRefusal: mostBeforeRefusal(exchanges),
    verdict:
      HEADER_VERDICTS.find((verdict) => dialects.some((each) => each.verdict === verdict)) ??
      "inconclusive",
    dialects: dialects.map(({ windowS, ...each }) => ({
      ...each,
      title: DIALECTS[each.dialect],
      windowSeconds: windowS,
    })),
    responses: exchanges.map(({ sentS, receivedS, status, headers, readings }) => {
      const shown = new Set(["date", ...readings.flatMap((each) => each.headers)].map(lower));
      return {
        sentAt: new Date(sentS * 1000).toISOString(),
        milliseconds: Math.round((receivedS - sentS) * 1e6) / 1000,
        status,
        headers: headers.filter(([name]) => shown.has(lower(name))),
      };
    }),
  };
}

const lower = (text: string): string => text.toLowerCase();
