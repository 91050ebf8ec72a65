import { parentPort, workerData } from "node:worker_threads";
import { digestCandidate } from "./digested.node.ts";
import type { TryQuestion } from "./question.ts";
import { tryRunner } from "./run-try.ts";

/** The settings that a thread gets once, before the indexes of its candidates. */
export interface TrySettings {
  readonly question: TryQuestion;
  readonly seed: number;
  readonly wantsHistory: boolean;
}

const { question, seed, wantsHistory } = workerData as TrySettings;
const run = tryRunner(question, seed);

parentPort?.on("message", (place: number) => {
  parentPort?.postMessage(digestCandidate(run(place, wantsHistory)), []);
});
