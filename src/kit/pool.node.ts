// Distributes the pieces of a sweep: to threads here, or by a queue to other machines (src/studies/queue). A thread has
// one piece at a time. The results do not depend on the number of threads.
import { availableParallelism } from "node:os";
import type { Worker } from "node:worker_threads";

/**
 * Memory for new objects in a thread whose objects are mostly short-lived, as in a run of a limiter. With V8's default,
 * garbage collection takes up to a fifth of the thread's time.
 */
export const YOUNG_MB = 64;

/** How one kind of sweep is computed. Settings, pieces and results are plain data, so that a queue can send them. */
export interface SweepThreads {
  readonly name: string;
  /** Starts a thread. Each message to the thread is a piece, and the thread replies with the result of that piece. */
  readonly start: (settings: unknown) => Worker;
}

export interface SharedWork {
  /** The pieces in the order in which they start; `place` is the index of the result. */
  readonly pieces: Iterator<readonly [place: number, piece: unknown], void>;
  readonly mostThreads: number;
  readonly threads: SweepThreads;
  readonly settings: unknown;
  /** When this promise resolves, all threads end without finishing their pieces. */
  readonly stop: Promise<"stop">;
  /** Receives the result of a piece. */
  readonly onDone: (answer: unknown, place: number) => void;
}

export type ShareOut = (shared: SharedWork) => Promise<void>;

/** Distributes the pieces to threads. Rejects with the first error of a thread; then no thread starts another piece. */
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
