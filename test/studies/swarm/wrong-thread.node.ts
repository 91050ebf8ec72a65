// A thread in which functions of the limiter can be replaced: with each mutant it searches the given worlds until one
// fails, and makes that one small.
import { parentPort, workerData } from "node:worker_threads";
import { installSwitches } from "#src/studies/mutants/install-switches.node.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";
import type { Counterexample } from "#src/studies/swarm/try-seed.ts";

export interface WrongSearch {
  readonly mutants: readonly string[];
  readonly seeds: readonly number[]; // in this order
}

export interface WrongWorld {
  readonly mutant: string;
  readonly found: Counterexample | null; // null: every world passes
  readonly text: string; // the scenario file
  /** The expectation that fails when the file is run with the mutant, and without it; null: all pass. */
  readonly failsWith: string | null;
  readonly failsWithout: string | null;
}

const { mutants, seeds } = workerData as WrongSearch;
const loaded: { readonly name: string; readonly mutant: Mutant }[] = [];
for (const name of mutants)
  loaded.push({
    name,
    ...((await import(`../mutants/${name}.ts`)) as { readonly mutant: Mutant }),
  });
installSwitches(loaded.map(({ mutant }) => mutant.replaces));

// Only now: these load the modules whose functions are replaced.
const { runUnder } = await import("#src/studies/mutants/switchboard.ts");
const { digest } = await import("#src/lab/scenario/history/digest.node.ts");
const { textOf, trySeed } = await import("#src/studies/swarm/try-seed.ts");
const { tryText } = await import("#src/studies/swarm/trial.ts");

function findCounterexample(): Counterexample | null {
  for (const seed of seeds) {
    const { counterexample } = trySeed(seed, digest);
    if (counterexample !== null) return counterexample;
  }
  return null;
}

const worlds: WrongWorld[] = [];
for (const { name, mutant } of loaded) {
  const found = await runUnder(mutant, findCounterexample);
  const text = found === null ? "" : textOf(found);
  const failureIn = (): string | null =>
    found === null ? null : (tryText(text, found.runSeed, digest).failure?.what ?? null);
  const failsWith = await runUnder(mutant, failureIn);
  worlds.push({ mutant: name, found, text, failsWith, failsWithout: failureIn() });
}
parentPort?.postMessage(worlds, []);
