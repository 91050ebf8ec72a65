// Shares the pieces of a sweep out: to threads here, or by a queue to other machines (src/studies/queue). Each thread has one
// piece at a time; the results do not depend on their number.
import { availableParallelism } from "node:os";
import type { Worker } from "node:worker_threads";

/**
 * Of a thread that makes most of its objects for a moment, as a run of a limiter does: in a young generation of the usual
 * size, up to a fifth of its time is spent on collecting them.
 */
export const YOUNG_MB = 64;

/** How one kind of sweep is computed. Settings, pieces and answers are plain data: a queue carries them elsewhere. */
export interface SweepThreads {
  readonly name: string;
  /** A thread of these settings answers each message, a piece, with its result. */
  readonly start: (settings: unknown) => Worker;
}

export interface SharedWork {
  /** In the order in which they begin, each piece with its index among the results. */
  readonly pieces: Iterator<readonly [place: number, piece: unknown], void>;
  readonly mostThreads: number;
  readonly threads: SweepThreads;
  readonly settings: unknown;
  /** Ends the work as soon as it resolves. */
  readonly stop: Promise<"stop">;
  /** Receives the message of a thread for a piece. */
  readonly onDone: (answer: unknown, place: number) => void;
}

export type ShareOut = (shared: SharedWork) => Promise<void>;

/** To threads. Ends with the first error of a thread: the others begin no further piece. */
export const shareOut: ShareOut = async (shared) => {
  const { pieces, mostThreads, threads, settings, stop, onDone } = shared;
  const failed = Promise.withResolvers<"stop">();
  const work = async (): Promise<void> => {
    let next = pieces.next();
    if (next.done === true) return;
    const thread = threads.start(settings);
    try {
      for (; next.done !== true; next = pieces.next()) {
        const [place, piece] = next.value;
        const done = await Promise.race([stop, failed.promise, answerTo(thread, piece)]);
        if (done === "stop") return;
        onDone(done.answer, place);
      }
    } catch (error) {
      failed.resolve("stop");
      throw error;
    } finally {
      await thread.terminate();
    }
  };
  const count = Math.min(availableParallelism(), mostThreads);
  await Promise.all(Array.from({ length: count }, work));
};

export function answerTo(thread: Worker, piece: unknown): Promise<{ readonly answer: unknown }> {
  const { promise, resolve, reject } = Promise.withResolvers<{ readonly answer: unknown }>();
  thread.removeAllListeners();
  thread.once("message", (answer) => resolve({ answer }));
  thread.once("error", reject);
  thread.once("exit", (code) => reject(new Error(`a thread ended with code ${code}`)));
  thread.postMessage(piece, []);
  return promise;
}
