// Headers that differ from what a model server does, and how a test names the finding.
import type { ReceivedHeader } from "#src/limiter/limit-headers/advertised.ts";
import {
  lintModel,
  windowLimiter,
  WRITERS,
  type HeaderWriter,
  type ModelDecision,
  type ModelServer,
} from "./model-server.ts";

export const WINDOW_S = 10;

export const combine =
  (...writers: readonly HeaderWriter[]): HeaderWriter =>
  (decision) =>
    writers.flatMap((each) => each(decision));

export const legacy = WRITERS["x-ratelimit, seconds"]!;
export const unix = WRITERS["x-ratelimit, Unix seconds"]!;
export const draft08 = WRITERS["ratelimit-08"]!;

/** The headers of a decision that the limiter did not take. */
export const about =
  (
    change: (decision: ModelDecision) => Partial<ModelDecision>,
    writer: HeaderWriter,
  ): HeaderWriter =>
  (decision) =>
    writer({ ...decision, ...change(decision) });

export const wait =
  (text: (decision: ModelDecision) => string): HeaderWriter =>
  (decision) =>
    decision.isAdmitted ? [] : [["Retry-After", text(decision)]];

export const secondsLeft = ({ retryS, nowS }: ModelDecision): number => Math.ceil(retryS - nowS);

export const onlyIf =
  (isWritten: (decision: ModelDecision) => boolean, writer: HeaderWriter): HeaderWriter =>
  (decision) =>
    isWritten(decision) ? writer(decision) : [];

export const ratelimit = (value: (decision: ModelDecision) => string): HeaderWriter => {
  return (decision): readonly ReceivedHeader[] => [["RateLimit", value(decision)]];
};

export type WrongServer = readonly [
  what: string,
  write: HeaderWriter,
  dialect: string,
  verdict: string,
  finding: string,
  more?: Partial<ModelServer>,
];

/** The verdict of the row's dialect, and whether its finding is among those of the dialect. */
export function examineRow([, write, dialect, , finding, more = {}]: WrongServer): object {
  const server = { write, clockS: 7300.4, decide: windowLimiter(5, WINDOW_S), ...more };
  const found = lintModel(server).dialects.find((each) => each.dialect === dialect);
  const codes = found?.findings.map(({ code }) => code) ?? [];
  return { verdict: found?.verdict, finding: codes.find((code) => code === finding) ?? codes };
}
