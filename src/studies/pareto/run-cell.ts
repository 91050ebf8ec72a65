// Runs one cell, once with each seed, and measures each run.
import { rng } from "../../kit/chance/rng.ts";
import { simulationOf, virtualHistory } from "../../lab/drivers/virtual.ts";
import type { History } from "../../lab/scenario/history.ts";
import { bytesIn, BYTES_PER_COUNTER } from "../../lab/sim/bytes.ts";
import type { Engine } from "../../lab/sim/engine.ts";
import { begin, finish, runUntil } from "../../lab/sim/simulate.ts";
import { figuresOf, type Figures } from "./metrics.ts";
import type { ParetoCell, ParetoSuite } from "./suite.ts";
import { flowsOf, keysIn } from "./traffic.ts";
import { settingsOf, type RunSetting } from "./world.ts";

/** How many times per window the size of a run's state is sampled. */
const SAMPLES_PER_WINDOW = 10;

interface MeasuredRun {
  readonly history: History;
  readonly bytes: number; // most bytes at any time
}

export function measureRun({ variant, plan, model }: RunSetting, everyUs: number): MeasuredRun {
  const setting = simulationOf(variant, plan, null);
  if (setting === null) throw new Error("the world of a cell has errors");
  const run = begin({ ...setting, model });
  let bytes = 0;
  for (let atUs = everyUs; atUs <= plan.untilUs; atUs += everyUs) {
    runUntil(run, atUs);
    bytes = Math.max(bytes, bytesHeld(run.engine));
  }
  finish(run);
  bytes = Math.max(bytes, bytesHeld(run.engine));
  return { history: virtualHistory(variant, plan, run.engine, []), bytes };
}

/** The seeds of the runs, the same for all algorithms, so that all of them have the same traffic. */
const seedsOf = ({ runs }: ParetoSuite, seed: number): readonly number[] => {
  const chance = rng(seed, "pareto/runs");
  return Array.from({ length: runs }, () => chance.int(2 ** 32));
};

export function runCell(cell: ParetoCell, suite: ParetoSuite, seed: number): readonly Figures[] {
  const { rate } = suite;
  const { algorithm, fleet, traffic } = cell;
  const perUs = suite.perMs * 1000;
  const settings = settingsOf({ algorithm, fleet, keys: keysIn(traffic, suite) }, suite);
  return seedsOf(suite, seed).map((runSeed) => {
    const setting = settings(flowsOf(traffic, suite, runSeed), runSeed);
    const { history, bytes } = measureRun(setting, perUs / SAMPLES_PER_WINDOW);
    return figuresOf(history, { rate, perUs, bytes });
  });
}

/** The bytes of all counters: the model's, the shared store's and those in each gateway's own store. */
const bytesHeld = ({ shared, nodes, model }: Engine): number =>
  (model?.countCounters() ?? 0) * BYTES_PER_COUNTER +
  [shared, ...nodes.map(({ own }) => own)].reduce((sum, store) => sum + bytesIn(store), 0);
