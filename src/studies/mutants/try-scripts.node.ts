// Tries all mutants of the scripts, one after the other, because all use the same Redis. A run whose scripts a mutant leaves as
// they are cannot kill it, so it is not repeated.
import { findDifference, openStore } from "./script-judge.node.ts";
import type { Rewrite } from "../../limiter/store/lua/script.ts";
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

interface UsedScripts {
  readonly run: ScriptRun;
  readonly pieces: ReadonlySet<string>; // of all scripts that the run sends
}

export async function tryScripts(
  url: string,
  mutants: readonly ScriptMutant[],
  seed: number,
  onDone: (mutant: ScriptMutant, done: number) => void = () => {},
): Promise<ScriptTrial> {
  let original: string | null = null;
  const runs: UsedScripts[] = [];
  for (const run of scriptRuns(seed, RUNS_OF_A_SHAPE)) {
    const pieces = new Set<string>();
    const record = (piece: string): string => {
      pieces.add(piece);
      return piece;
    };
    const fault = await tryOne(url, record, [run]); // in a store of its own, because a store keeps its scripts
    original ??= fault;
    runs.push({ run, pieces });
  }
  const tried: TriedScript[] = [];
  for (const mutant of mutants) {
    const rewrite = rewriterOf(mutant);
    const changed = runs.filter(({ pieces }) =>
      [...pieces].some((piece) => rewrite(piece) !== piece),
    );
    const killedBy = await tryOne(
      url,
      rewrite,
      changed.map(({ run }) => run),
    );
    tried.push({ mutant, killedBy });
    onDone(mutant, tried.length);
  }
  return { original, tried };
}

async function tryOne(
  url: string,
  rewrite: Rewrite,
  runs: readonly ScriptRun[],
): Promise<string | null> {
  const store = await openStore(url, rewrite);
  try {
    return await findDifference(store, runs);
  } finally {
    await store.close();
  }
}
