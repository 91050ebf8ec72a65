// All mutants of the scripts, one after the other over one Redis: a script keeps it busy, and nothing is waited for.
import { faultIn, openStore } from "./script-judge.node.ts";
import { rewriterOf, type ScriptMutant } from "./script-mutant.ts";
import { scriptRuns, type ScriptRun } from "./script-traffic.ts";

export interface ScriptTrial {
  readonly original: string | null; // what is wrong with the scripts themselves
  readonly tried: readonly TriedScript[];
}

export interface TriedScript {
  readonly mutant: ScriptMutant;
  readonly killedBy: string | null; // the first difference; null: it lives
}

const RUNS_OF_A_SHAPE = 3;

export async function tryScripts(
  url: string,
  mutants: readonly ScriptMutant[],
  seed: number,
  onDone: (mutant: ScriptMutant, done: number) => void = () => {},
): Promise<ScriptTrial> {
  const runs = scriptRuns(seed, RUNS_OF_A_SHAPE);
  const original = await tryOne(url, null, runs);
  const tried: TriedScript[] = [];
  for (const mutant of mutants) {
    tried.push({ mutant, killedBy: await tryOne(url, rewriterOf(mutant), runs) });
    onDone(mutant, tried.length);
  }
  return { original, tried };
}

async function tryOne(
  url: string,
  rewrite: Parameters<typeof openStore>[1],
  runs: readonly ScriptRun[],
): Promise<string | null> {
  const store = await openStore(url, rewrite);
  try {
    return await faultIn(store, runs);
  } finally {
    await store.close();
  }
}
