// Runs draws of candidates in threads. They share no state, so the results do not depend on which thread runs which.
import { extname } from "node:path";
import { Worker } from "node:worker_threads";
import { shareOut, type SweepThreads } from "../../kit/pool.node.ts";
import { countTried } from "./as-scenario.ts";
import { digestCandidate, type DigestedCandidate } from "./digested.node.ts";
import type { TryQuestion } from "./question.ts";
import { tryRunner, type TryPiece } from "./run-try.ts";

/** Most threads: each has columns for all attempts in memory. */
const MOST_THREADS = 4;
/** Fewest requests for which threads are started: fewer are decided faster than a thread loads its modules. */
const WORTH_A_THREAD = 50_000;

/** Reports each finished piece. To stop, resolve `stop`: without threads, the current piece is completed. */
export async function runCandidates(
  question: TryQuestion,
  pieces: readonly TryPiece[],
  onDone: (place: number, candidate: DigestedCandidate) => void,
  stop: Promise<"stop">,
): Promise<void> {
  if (countTried(question) * pieces.length < WORTH_A_THREAD) {
    const run = tryRunner(question);
    for (const piece of pieces) {
      onDone(piece.place, digestCandidate(piece.seed, run(piece)));
      const turn = new Promise((resolve) => void setImmediate(resolve)); // so that signals are handled
      if ((await Promise.race([stop, turn])) === "stop") return;
    }
    return;
  }
  await shareOut({
    pieces: pieces.map((piece) => [piece.place, piece] as const).values(),
    mostThreads: Math.min(MOST_THREADS, pieces.length),
    threads: CANDIDATE_THREADS,
    settings: question,
    stop,
    onDone: (answer, place) => {
      onDone(place, answer as DigestedCandidate);
    },
  });
}

const CANDIDATE_THREADS: SweepThreads = {
  name: "try",
  start: (settings) =>
    new Worker(new URL(`try-worker.node${extname(import.meta.filename)}`, import.meta.url), {
      workerData: settings,
    }),
};
