import { parentPort, workerData } from "node:worker_threads";
import { playCell } from "./play.ts";
import { cellsOf, type ParetoSuite } from "./suite.ts";

/** What a thread is told once; then it hears places of cells. */
export interface CellSettings {
  readonly suite: ParetoSuite;
  readonly seed: number;
}

const { suite, seed } = workerData as CellSettings;
const cells = cellsOf(suite);

parentPort?.on("message", (place: number) => {
  parentPort?.postMessage(playCell(cells[place]!, suite, seed), []);
});
