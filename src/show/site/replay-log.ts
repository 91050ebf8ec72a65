// Replays a log that a reader drops on the page as `weir replay` does, in memory and without files.
import { micros, SECOND } from "../../kit/units.ts";
import { addAnswer } from "../answers/answer.ts";
import { answerReplay } from "../answers/replay.ts";
import { PeakCounts } from "../log-pages/peaks.ts";
import { replayPart } from "../log-pages/replay-part.ts";
import { Failure, isFailure } from "../../kit/reading/failure.ts";
import { ArrivalWindow } from "../../studies/replay/arrivals.ts";
import { shortDuration, USUAL_ALGORITHMS } from "../../studies/replay/candidates.ts";
import {
  HEAD_BYTES,
  headLines,
  readerFor,
  withoutMark,
} from "../../studies/replay/found-reader.ts";
import { LogFile } from "../../studies/replay/log-file.ts";
import { NameTable } from "../../studies/replay/names.ts";
import { Replay, type ReplayQuestion } from "../../studies/replay/replay.ts";
import { buildReplayResult, type ReplayResult } from "../../studies/replay/result.ts";
import { AS_LOGGED, placementsFrom } from "../../studies/replay/placements.ts";
import { parseKey } from "../../studies/replay/selectors.ts";
import type { MeasuredPart } from "../../lab/report/measured.ts";
import { DEFAULT_OPTIONS } from "../../limiter/world/options.ts";
import { throughStream } from "./through-stream.ts";

/** How a page replays a log: one limit for each client, under several algorithms. */
export interface LogLimit {
  readonly rate: number;
  readonly perSeconds: number;
  readonly key: string; // "ip", or the name of a field
}

export interface DroppedLog {
  readonly name: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** The maximum size of a log in bytes, compressed or not: one tab stores the log, its requests and its clients. */
export const MOST_LOG_BYTES = 100_000_000;
const TOO_LARGE = `more than ${MOST_LOG_BYTES / 1_000_000} MB: too large for a page; use weir replay`;

/** Matches advice about a flag, which a page does not have; the next text replaces it. */
const OF_A_COMMAND = /name it with --format .*$/s;
const WITHOUT_FORMAT = "a page reads only logs that weir replay recognises by itself";

const TOP = 10;
const NEWLINE = 10;

export interface ReplayWithCharts {
  readonly result: ReplayResult;
  /** The charts and tables for the page. */
  readonly part: MeasuredPart;
}

/** Replays a log. The message of a failure is a sentence for the reader. */
export async function replayLog(
  { name, bytes: packed }: DroppedLog,
  { rate, perSeconds, key: typedKey }: LogLimit,
): Promise<ReplayWithCharts | Failure> {
  const fail = (why: string): Failure => new Failure(`${name}: ${why}.`);
  if (packed.length > MOST_LOG_BYTES) return fail(TOO_LARGE);
  let unpacked;
  try {
    unpacked = !isGzip(packed)
      ? packed
      : await throughStream(packed, new DecompressionStream("gzip"), MOST_LOG_BYTES);
  } catch {
    return fail("it cannot be unpacked: it is damaged, or was cut off");
  }
  if (unpacked === null) return fail(TOO_LARGE);
  const bytes = withoutMark(unpacked);
  const key = parseKey(typedKey);
  if (isFailure(key)) return new Failure(`The key: ${key.message}.`);
  if (!(rate >= 1) || !(perSeconds > 0))
    return new Failure("The limit needs at least 1 request, and a window that is longer than 0 s.");
  const perUs = micros(Math.round(perSeconds * SECOND));
  const question: ReplayQuestion = {
    candidates: USUAL_ALGORITHMS.map((algorithm) => ({
      kind: "limit",
      limit: { rate, perUs },
      by: { kind: "algorithm", name: algorithm },
      options: { ...DEFAULT_OPTIONS, algorithm },
    })),
    key,
    conditions: [],
    clients: new NameTable(),
    targets: null,
    format: null,
    seed: 1,
    retries: null,
  };
  const found = readerFor(headLines(bytes.subarray(0, HEAD_BYTES)), question);
  if (isFailure(found)) return fail(found.message.replace(OF_A_COMMAND, WITHOUT_FORMAT));
  const file = new LogFile(name, found.format, question, found.reader);
  const replay = new Replay(question, file.isWholeSeconds);
  const peaks = new PeakCounts(
    [{ perUs, rates: [rate] }],
    file.isWholeSeconds ? placementsFrom(question.seed) : [AS_LOGGED],
    () => question.clients.count,
  );
  const window = new ArrivalWindow((arrivals) => {
    replay.decide(arrivals);
    peaks.decide(arrivals);
  }, file.isWholeSeconds);
  const failure = file.readBlock(
    { bytes, indexOfNewline: (from) => bytes.indexOf(NEWLINE, from) },
    window,
  );
  if (failure !== null) return fail(failure.message);
  file.end(window);
  if (file.isLate)
    return fail("its requests are too far out of order for a page; weir replay sorts them on disk");
  window.end();
  replay.end();
  const unanswered = buildReplayResult({
    key: typedKey,
    cost: null,
    replay,
    clients: question.clients,
    files: [file],
    skipped: [],
    cut: [],
    isInterrupted: false,
    top: TOP,
    rename: null,
  });
  const result = addAnswer(unanswered, answerReplay);
  const figures = result.requests === 0 ? [] : peaks.figures(shortDuration);
  const charts = { peaks: figures, timelines: new Map(), timelineNotes: [] };
  return { result, part: replayPart(result, charts, [], []) };
}

const isGzip = (bytes: Uint8Array): boolean => bytes[0] === 0x1f && bytes[1] === 0x8b;
