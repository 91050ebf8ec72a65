import { parentPort, workerData } from "node:worker_threads";
import { runCell } from "./run-cell.ts";
import { cellsOf, type ParetoSuite } from "./suite.ts";

/** Sent to a thread when it starts, before the indexes of its cells. */
export interface CellSettings {
  readonly suite: ParetoSuite;
  readonly seed: number;
}

const { suite, seed } = workerData as CellSettings;
const cells = cellsOf(suite);

parentPort?.on("message", (place: number) => {
  parentPort?.postMessage(runCell(cells[place]!, suite, seed), []);
});
