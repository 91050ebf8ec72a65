// Tries all mutants of the scripts, one after the other, because all use the same Redis.
import { findDifference, openStore } from "./script-judge.node.ts";
import { rewriterOf, type ScriptMutant } from "./script-mutant.ts";
import { scriptRuns, type ScriptRun } from "./script-traffic.ts";

export interface ScriptTrial {
  readonly original: string | null; // where the original scripts first differ from the memory store; null: nowhere
  readonly tried: readonly TriedScript[];
}

interface TriedScript {
  readonly mutant: ScriptMutant;
  readonly killedBy: string | null; // the first difference; null: it survives
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
    return await findDifference(store, runs);
  } finally {
    await store.close();
  }
}
