import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { parentPort, workerData } from "node:worker_threads";
import { isDeepStrictEqual } from "node:util";
import { catalogue } from "./catalogue.node.ts";
import { installSwitches } from "./install-switches.node.ts";
import type { TraceFileReader } from "../../scenario/read/trace.ts";
import type { NamedMutant } from "./mutant.ts";
import type { Known, Play, Trial } from "./trial.ts";

/** What a thread is told once. */
export interface TrialSettings {
  readonly seed: number;
  readonly isThorough: boolean;
  readonly chosen: readonly Pick<NamedMutant, "name" | "replaces">[];
}

export interface ToTry {
  readonly file: string;
  readonly known: Known | null;
}

const { seed, isThorough, chosen } = workerData as TrialSettings;
// Whatever is loaded before the switches are installed has none, and mutants load what they ask.
installSwitches(chosen.map(({ replaces }) => replaces));
const { trial } = await import("./trial.ts");
const { playVirtual } = await import("../../drivers/virtual.ts");
const { playWithCalls } = await import("../../drivers/virtual-calls.ts");
const { manageQuietly } = await import("../../drivers/managed.node.ts");
const play: Play = async (variant, plan) =>
  variant.calls.length === 0
    ? playVirtual(variant, plan)
    : playWithCalls(variant, plan, manageQuietly);
const names = new Set(chosen.map(({ name }) => name));
const mutants = ((await catalogue()) ?? []).filter(({ name }) => names.has(name));

const textOf = (file: string): string => readFileSync(file, "utf8");

parentPort?.on("message", ({ file, known }: ToTry) => {
  const beside: TraceFileReader = (name) => ({ text: textOf(join(dirname(file), name)) });
  const isEqual = isDeepStrictEqual;
  const options = { beside, seed, known, mutants, isThorough, isEqual, play };
  void tell(trial(file, textOf(file), options));
});

/** What throws is a fault of this program, and ends the thread with it. */
async function tell(tried: Promise<Trial>): Promise<void> {
  parentPort?.postMessage(await tried, []);
}
