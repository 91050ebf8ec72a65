import { parentPort, workerData } from "node:worker_threads";
import { isDeepStrictEqual } from "node:util";
import { catalogue } from "./catalogue.node.ts";
import { installSwitches } from "./install-switches.node.ts";
import type { ScenarioInput, TraceFileReader } from "../../lab/scenario/read/trace.ts";
import type { NamedMutant } from "./mutant.ts";
import type { KnownKills, RunVariant, MutantTrial } from "./trial.ts";

/** Sent to a thread when it starts. */
export interface TrialSettings {
  readonly seed: number;
  readonly isThorough: boolean;
  readonly chosen: readonly Pick<NamedMutant, "name" | "replaces">[];
}

/** A scenario with the content of all its files: a queue may send it to a worker on another machine. */
export interface TrialFile extends ScenarioInput {
  readonly file: string;
  readonly knownKills: KnownKills | null;
}

const { seed, isThorough, chosen } = workerData as TrialSettings;
// Before all other imports: a module that is already loaded gets no switches, and files of mutants import modules.
installSwitches(chosen.map(({ replaces }) => replaces));
const { trial } = await import("./trial.ts");
const { NO_TRACE_FILES } = await import("../../lab/scenario/read/trace.ts");
const { playVirtual } = await import("../../lab/drivers/virtual.ts");
const { playWithCalls } = await import("../../lab/drivers/virtual-calls.ts");
const { manageQuietly } = await import("../../lab/drivers/managed.node.ts");
const run: RunVariant = async (variant, plan) =>
  variant.calls.length === 0
    ? playVirtual(variant, plan)
    : playWithCalls(variant, plan, manageQuietly);
const names = new Set(chosen.map(({ name }) => name));
const mutants = ((await catalogue()) ?? []).filter(({ name }) => names.has(name));

parentPort?.on("message", ({ file, text, traces, knownKills }: TrialFile) => {
  const readTraceFile: TraceFileReader = (name) => traces.get(name) ?? NO_TRACE_FILES(name);
  const isEqual = isDeepStrictEqual;
  const options = { readTraceFile, seed, knownKills, mutants, isThorough, isEqual, run };
  void sendResult(trial(file, text, options));
});

/** An exception is a bug of this program, and ends the thread. */
async function sendResult(tried: Promise<MutantTrial>): Promise<void> {
  parentPort?.postMessage(await tried, []);
}
