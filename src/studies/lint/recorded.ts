// Parses recorded responses, so that no server is needed. The format is HAR, or one JSON object per line.
import { z } from "zod";
import {
  readExchange,
  type JudgedExchange,
  type RecordedExchange,
} from "../../limiter/limit-headers/exchange.ts";
import { Failure, isFailure } from "../../kit/reading/failure.ts";

const headerValue = z.union([z.string(), z.array(z.string())]);
const time = z.iso.datetime({ offset: true });

const line = z.strictObject({
  sentAt: time,
  receivedAt: time,
  status: z.int().min(100).max(599),
  headers: z.record(z.string(), headerValue),
});

/** Other fields of HAR are not about limits. */
const har = z.object({
  log: z.object({
    entries: z.array(
      z.object({
        startedDateTime: time,
        time: z.number().min(0),
        response: z.object({
          status: z.int(),
          headers: z.array(z.object({ name: z.string(), value: z.string() })),
        }),
      }),
    ),
  }),
});

/** Returns the responses in order. A failure names the line or the entry. */
export function parseRecorded(file: string, text: string): readonly JudgedExchange[] | Failure {
  const exchanges = /^\s*\{\s*"log"\s*:/.test(text) ? parseHar(file, text) : parseLines(file, text);
  if (isFailure(exchanges)) return exchanges;
  if (exchanges.length === 0)
    return new Failure(`${file}: it has no responses; write one JSON object a line`);
  const at = exchanges.findIndex(
    ({ sentS }, index) => sentS < (exchanges[index - 1]?.receivedS ?? 0),
  );
  return at === -1
    ? exchanges.map(readExchange)
    : new Failure(
        `${file}: request ${at + 1} was sent before response ${at} was received; record requests one after the other`,
      );
}

const unix = (text: string): number => Date.parse(text) / 1000;

function parseLines(file: string, text: string): readonly RecordedExchange[] | Failure {
  const exchanges: RecordedExchange[] = [];
  for (const [index, each] of text.split("\n").entries()) {
    if (each.trim() === "") continue;
    const read = readJson(`${file}:${index + 1}`, each, line);
    if (isFailure(read)) return read;
    const { sentAt, receivedAt, status, headers } = read;
    exchanges.push({
      sentS: unix(sentAt),
      receivedS: unix(receivedAt),
      status,
      headers: Object.entries(headers).flatMap(([name, values]) =>
        [values].flat().map((value) => [name, value] as const),
      ),
    });
  }
  return exchanges;
}

function parseHar(file: string, text: string): readonly RecordedExchange[] | Failure {
  const read = readJson(file, text, har);
  if (isFailure(read)) return read;
  return read.log.entries.map(({ startedDateTime, time: took, response }) => ({
    sentS: unix(startedDateTime),
    receivedS: unix(startedDateTime) + took / 1000,
    status: response.status,
    headers: response.headers.map(({ name, value }) => [name, value] as const),
  }));
}

function readJson<T>(place: string, text: string, schema: z.ZodType<T>): T | Failure {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return new Failure(`${place}: this is not JSON; a recorded response is one JSON object a line`);
  }
  const read = schema.safeParse(value);
  if (read.success) return read.data;
  const [{ path, message } = { path: [], message: "" }] = read.error.issues;
  return new Failure(`${place}: ${path.join(".") || "at its top"}: ${message}`);
}
