// Computes pieces of a search in threads. Pieces share no state, so the results do not depend on which thread does.
import { extname } from "node:path";
import { Worker } from "node:worker_threads";
import { YOUNG_MB, type ShareOut, type SweepThreads } from "../../kit/pool.node.ts";
import type { WorstCaseQuestion } from "./question.ts";
import type { ComputePieces, PieceResult } from "./search.ts";

const MOST_THREADS = 16;

/** The settings that a thread gets once, when it starts. */
export interface SearchSettings {
  readonly question: WorstCaseQuestion;
  readonly seed: number;
  readonly units: number;
}

export const SEARCH_THREADS: SweepThreads = {
  name: "worst",
  start: (settings) =>
    new Worker(new URL(`search-worker.node${extname(import.meta.filename)}`, import.meta.url), {
      workerData: settings,
      resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MB },
    }),
};

export const computeByThreads =
  (settings: SearchSettings, stop: Promise<"stop">, share: ShareOut): ComputePieces =>
  async (pieces, onDone) => {
    const results: PieceResult[] = [];
    let done = 0;
    await share({
      pieces: pieces.entries(),
      mostThreads: Math.min(MOST_THREADS, pieces.length),
      threads: SEARCH_THREADS,
      settings,
      stop,
      onDone: (answer, place) => {
        results[place] = answer as PieceResult;
        done++;
        onDone(results[place]);
      },
    });
    return done === pieces.length ? results : null;
  };
