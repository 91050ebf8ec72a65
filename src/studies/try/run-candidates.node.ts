// Runs candidates in threads. Candidates share no state, so the results do not depend on which thread runs which.
import { extname } from "node:path";
import { Worker } from "node:worker_threads";
import { shareOut, type SweepThreads } from "../../kit/pool.node.ts";
import { countTried } from "./as-scenario.ts";
import { digestCandidate, type DigestedCandidate } from "./digested.node.ts";
import { candidatesOf } from "./question.ts";
import { tryRunner } from "./run-try.ts";
import type { TrySettings } from "./try-worker.node.ts";

/** Most threads: each has columns for all attempts in memory. */
const MOST_THREADS = 4;
/** Fewest requests for which threads are started: fewer are decided faster than a thread loads its modules. */
const WORTH_A_THREAD = 20_000;

/** Reports each finished candidate. To stop, resolve `stop`: without threads, the current candidate is completed. */
export async function runCandidates(
  settings: TrySettings,
  onDone: (place: number, candidate: DigestedCandidate) => void,
  stop: Promise<"stop">,
): Promise<void> {
  const places = [...candidatesOf(settings.question).keys()];
  if (countTried(settings.question) * places.length < WORTH_A_THREAD) {
    const run = tryRunner(settings.question, settings.seed);
    for (const place of places) {
      onDone(place, digestCandidate(run(place, settings.wantsHistory)));
      const turn = new Promise((resolve) => void setImmediate(resolve)); // so that signals are handled
      if ((await Promise.race([stop, turn])) === "stop") return;
    }
    return;
  }
  await shareOut({
    pieces: places.map((place) => [place, place] as const).values(),
    mostThreads: Math.min(MOST_THREADS, places.length),
    threads: CANDIDATE_THREADS,
    settings,
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
