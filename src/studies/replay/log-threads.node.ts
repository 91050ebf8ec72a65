// Reads one large log on several threads, while the caller's thread decides its requests. Each thread reads pieces of
// the file. Pieces are taken in the order of the file, so the result is that of one thread, byte for byte.
import { availableParallelism } from "node:os";
import { closeSync, fstatSync, openSync, statSync } from "node:fs";
import { extname } from "node:path";
import { setImmediate } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import type { LogFormat } from "./columns.ts";
import { requireValue } from "../../kit/reading/failure.ts";
import { blocksOf, openLog, type LogBlock } from "./line-blocks.node.ts";
import type { LogFile } from "./log-file.ts";
import { ThreadNumbers, type LogPiece, type NumberedPiece } from "./log-piece.ts";
import { readFileChunks } from "./log-source.node.ts";
import type { LogQuestion, RequestQuestion } from "./requests.ts";

/** The size of a piece, which consists of the lines that begin within this many bytes. */
export const PIECE_BYTES = 1 << 20;
/** Bytes that are read after a piece to complete its last line. One thread reads a log with a longer line. */
export const OVERHANG_BYTES = 1 << 18;
/** Most pieces that threads read ahead of the deciding thread, which decides only when its window is full. */
export const PIECES_AHEAD = 128;

/** Indexes in the memory that the threads share. */
export const NEXT_PIECE = 0;
export const FIRST_TO_WAIT_FOR = 1;

/** A question that can be sent to a thread: without tables of names. */
export type PlainQuestion = Pick<
  RequestQuestion,
  "key" | "endpoint" | "sender" | "cost" | "needsDuration" | "zoneUs"
> & {
  readonly conditions: readonly string[];
  readonly labels: readonly string[];
  readonly hasTargets: boolean;
  readonly format: Pick<LogFormat, "name" | "text">;
};

/** A message of a thread. `piece` null: a line is too long for pieces, or a record has several lines. */
export interface ReadPiece {
  readonly place: number; // index of the piece in the log
  readonly piece: LogPiece | null;
}

export interface PieceSettings {
  readonly file: number; // the descriptor of the log, open in this process
  readonly bytes: number;
  readonly head: readonly Uint8Array[];
  readonly question: PlainQuestion;
  readonly isWholeSeconds: boolean;
  readonly progress: Int32Array;
}

const MOST_THREADS = 8; // more threads would read faster than one thread can decide
export const USUAL_THREADS = Math.min(MOST_THREADS, availableParallelism());

/** Whether threads can read a log: not if column names within the log may change how later lines are read. */
export const isForThreads = ({ name, format }: LogFile, fromBytes: number): boolean =>
  format.others !== "comments" && statSync(name).size >= fromBytes;

/** Reads a file up to its present end; later additions are not read. */
export async function* readByThreads(
  { name, format, isWholeSeconds }: LogFile,
  head: readonly Uint8Array[],
  question: LogQuestion,
  count: number,
  stop: Promise<"stop">,
): AsyncGenerator<LogBlock | NumberedPiece, void, undefined> {
  const file = openSync(name, "r");
  const bytes = fstatSync(file).size;
  const progress = new Int32Array(new SharedArrayBuffer(8));
  const plain = plainQuestion(question, format);
  const settings: PieceSettings = { file, bytes, head, question: plain, isWholeSeconds, progress };
  const arrived = new Map<number, () => NumberedPiece | "long line">();
  let change = Promise.withResolvers<void>();
  let failure = null as Error | null;
  const threads = Array.from({ length: count }, () => {
    const thread = startThread(settings);
    const clients = new ThreadNumbers(question.clients);
    const targets = question.targets === null ? null : new ThreadNumbers(question.targets);
    thread.on("error", (error: Error) => {
      failure ??= error;
      change.resolve();
    });
    thread.on("message", ({ place, piece }: ReadPiece) => {
      arrived.set(place, () =>
        piece === null
          ? "long line"
          : {
              piece,
              clients: clients.with(piece.clients),
              targets: piece.targets === null ? null : targets!.with(piece.targets),
            },
      );
      change.resolve();
    });
    return thread;
  });
  try {
    for (let place = 0; place * PIECE_BYTES < bytes; place++) {
      while (!arrived.has(place)) {
        if (failure !== null) throw failure;
        if ((await Promise.race([change.promise, stop])) === "stop") return;
        change = Promise.withResolvers<void>();
      }
      const piece = arrived.get(place)!(); // in the order of the file, so that names are numbered as by one thread
      arrived.delete(place);
      if (piece === "long line") {
        yield* place === 0
          ? requireValue(await openLog(name)).blocks
          : blocksOf(readFileChunks(file, place * PIECE_BYTES - 1), true);
        return;
      }
      Atomics.store(progress, FIRST_TO_WAIT_FOR, place + 1);
      Atomics.notify(progress, FIRST_TO_WAIT_FOR);
      yield piece;
      await setImmediate(); // lets signals and messages of threads arrive
    }
  } finally {
    await Promise.all(threads.map((thread) => thread.terminate()));
    closeSync(file);
  }
}

const startThread = (settings: PieceSettings): Worker =>
  new Worker(new URL(`piece-worker.node${extname(import.meta.filename)}`, import.meta.url), {
    workerData: settings,
  });

const plainQuestion = (
  {
    key,
    endpoint,
    sender,
    cost,
    needsDuration,
    zoneUs,
    conditions,
    labels = [],
    targets,
  }: LogQuestion,
  { name, text }: LogFormat,
): PlainQuestion => ({
  key,
  ...(endpoint !== undefined && { endpoint }),
  ...(sender !== undefined && { sender }),
  ...(cost !== undefined && { cost }),
  ...(needsDuration !== undefined && { needsDuration }),
  ...(zoneUs !== undefined && { zoneUs }),
  conditions: conditions.map((condition) => condition.text),
  labels: labels.map((label) => label.text),
  hasTargets: targets !== null,
  format: { name, ...(text !== undefined && { text }) },
});
