// A log that a reader drops on the page, replayed as `weir replay` replays it, in memory and without files.
import type { Algorithm } from "../core/algorithms.ts";
import { micros, SECOND } from "../core/units.ts";
import { Failure, isFailure } from "../reading/failure.ts";
import { ArrivalWindow } from "../replay/arrivals.ts";
import { readerFor } from "../replay/found-reader.ts";
import { LogFile } from "../replay/log-file.ts";
import { NameTable } from "../replay/names.ts";
import { Replay, type ReplayQuestion } from "../replay/replay.ts";
import { buildReplayResult, type ReplayResult } from "../replay/result.ts";
import { parseKey } from "../replay/selectors.ts";
import { DEFAULT_OPTIONS } from "../world/options.ts";

/** What a page replays of a log: one limit for each client, by some algorithms. */
export interface LogLimit {
  readonly rate: number;
  readonly perSeconds: number;
  readonly key: string; // "ip", or the name of a field
}

export interface DroppedLog {
  readonly name: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** As `weir replay` has them without `--algorithm`. */
const USUAL_ALGORITHMS: readonly Algorithm[] = [
  "fixed_window",
  "sliding_log",
  "sliding_window_counter",
  "token_bucket",
];

/** Packed or not; a page has the log, its requests and their clients in the memory of one tab. */
export const MOST_LOG_BYTES = 100_000_000;
const TOO_LARGE = `more than ${MOST_LOG_BYTES / 1_000_000} MB: a page replays no larger log; weir replay does`;

/** A page has no options. */
const OF_A_COMMAND = /name it with --format .*$/s;
const WITHOUT_FORMAT = "a page reads only logs that weir replay recognises by itself";

const HEAD_BYTES = 1 << 16;
const HEAD_LINES = 20;
const TOP = 10;
const NEWLINE = 10;
const RETURN = 13;

/** A failure is a sentence for the reader. */
export async function replayLog(
  { name, bytes: packed }: DroppedLog,
  { rate, perSeconds, key: typedKey }: LogLimit,
): Promise<ReplayResult | Failure> {
  const fail = (why: string): Failure => new Failure(`${name}: ${why}.`);
  let bytes;
  try {
    bytes = await unpack(packed);
  } catch {
    return fail("it cannot be unpacked: it is damaged, or was cut off");
  }
  if (bytes === null) return fail(TOO_LARGE);
  const key = parseKey(typedKey);
  if (isFailure(key)) return new Failure(`The key: ${key.message}.`);
  if (!(rate >= 1) || !(perSeconds > 0))
    return new Failure("The limit needs at least 1 request, and a window that is longer than 0 s.");
  const question: ReplayQuestion = {
    candidates: USUAL_ALGORITHMS.map((algorithm) => ({
      kind: "limit",
      limit: { rate, perUs: micros(Math.round(perSeconds * SECOND)) },
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
  const found = readerFor(headOf(bytes), question);
  if (isFailure(found)) return fail(found.message.replace(OF_A_COMMAND, WITHOUT_FORMAT));
  const file = new LogFile(name, found.format, question, found.reader);
  const replay = new Replay(question, file.isWholeSeconds);
  const window = new ArrivalWindow((arrivals) => replay.decide(arrivals), file.isWholeSeconds);
  const failure = file.readBlock(
    { bytes, indexOfNewline: (from) => bytes.indexOf(NEWLINE, from) },
    window,
  );
  if (failure !== null) return fail(failure.message);
  if (file.isLate)
    return fail("its requests are too far out of order for a page; weir replay sorts them on disk");
  window.end();
  replay.end();
  return buildReplayResult({
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
}

/** Null: there are too many bytes. A short file can be made to unpack into any length. */
async function unpack(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer> | null> {
  if (bytes.length > MOST_LOG_BYTES) return null;
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) return bytes;
  const reader = new Blob([bytes])
    .stream()
    .pipeThrough(new DecompressionStream("gzip"))
    .getReader();
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  let length = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    length += value.length;
    if (length > MOST_LOG_BYTES) {
      await reader.cancel();
      return null;
    }
    chunks.push(value);
  }
  const whole = new Uint8Array(length);
  let at = 0;
  for (const chunk of chunks) {
    whole.set(chunk, at);
    at += chunk.length;
  }
  return whole;
}

/** The first lines that have something. */
function headOf(bytes: Uint8Array): readonly Uint8Array[] {
  const lines: Uint8Array[] = [];
  const most = Math.min(bytes.length, HEAD_BYTES);
  for (let from = 0; from < most && lines.length < HEAD_LINES;) {
    const newline = bytes.indexOf(NEWLINE, from);
    const end = newline < 0 || newline > most ? most : newline;
    const to = bytes[end - 1] === RETURN ? end - 1 : end;
    if (to > from) lines.push(bytes.subarray(from, to));
    from = end + 1;
  }
  return lines;
}
