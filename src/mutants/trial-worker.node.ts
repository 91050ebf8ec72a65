import { readFileSync } from "node:fs";
import { parentPort, workerData } from "node:worker_threads";
import { isDeepStrictEqual } from "node:util";
import { catalogue, installSwitches } from "./catalogue.node.ts";

/** What a thread is told once. */
export interface TrialSettings {
  readonly seed: number;
  readonly names: readonly string[]; // of mutants
}

const { seed, names } = workerData as TrialSettings;
const all = (await catalogue()) ?? [];
const mutants = all.filter(({ name }) => names.includes(name));
installSwitches(mutants.map(({ replaces }) => replaces));
// Whatever is loaded before the switches are installed has none.
const { trial } = await import("./trial.ts");

parentPort?.on("message", (file: string) => {
  parentPort?.postMessage(
    trial(file, readFileSync(file, "utf8"), seed, mutants, isDeepStrictEqual),
    [],
  );
});
