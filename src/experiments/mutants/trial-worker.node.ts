import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { parentPort, workerData } from "node:worker_threads";
import { isDeepStrictEqual } from "node:util";
import { catalogue } from "./catalogue.node.ts";
import { installSwitches } from "./install-switches.node.ts";
import type { TraceFileReader } from "../../scenario/read/trace.ts";
import type { NamedMutant } from "./mutant.ts";
import type { KnownKills, RunVariant, MutantTrial } from "./trial.ts";

/** Sent to a thread once. */
export interface TrialSettings {
  readonly seed: number;
  readonly isThorough: boolean;
  readonly chosen: readonly Pick<NamedMutant, "name" | "replaces">[];
}

export interface TrialFile {
  readonly file: string;
  readonly knownKills: KnownKills | null;
}

const { seed, isThorough, chosen } = workerData as TrialSettings;
// A module that is loaded before the switches are installed has none, and mutants load the modules that they call.
installSwitches(chosen.map(({ replaces }) => replaces));
const { trial } = await import("./trial.ts");
const { playVirtual } = await import("../../drivers/virtual.ts");
const { playWithCalls } = await import("../../drivers/virtual-calls.ts");
const { manageQuietly } = await import("../../drivers/managed.node.ts");
const run: RunVariant = async (variant, plan) =>
  variant.calls.length === 0
    ? playVirtual(variant, plan)
    : playWithCalls(variant, plan, manageQuietly);
const names = new Set(chosen.map(({ name }) => name));
const mutants = ((await catalogue()) ?? []).filter(({ name }) => names.has(name));

const textOf = (file: string): string => readFileSync(file, "utf8");

parentPort?.on("message", ({ file, knownKills }: TrialFile) => {
  const readTraceFile: TraceFileReader = (name) => textOf(join(dirname(file), name));
  const isEqual = isDeepStrictEqual;
  const options = { readTraceFile, seed, knownKills, mutants, isThorough, isEqual, run };
  void sendResult(trial(file, textOf(file), options));
});

/** An exception is a bug of this program, and ends the thread. */
async function sendResult(tried: Promise<MutantTrial>): Promise<void> {
  parentPort?.postMessage(await tried, []);
}
