// One cell: played once with each seed, and what comes out of it.
import { rng } from "../../chance/rng.ts";
import { simulationOf, virtualHistory } from "../../drivers/virtual.ts";
import type { History } from "../../scenario/history.ts";
import { bytesIn, BYTES_PER_COUNTER } from "../../sim/bytes.ts";
import type { Engine } from "../../sim/engine.ts";
import { begin, finish, playUntil } from "../../sim/simulate.ts";
import { figuresOf, type Figures } from "./metrics.ts";
import type { Cell, ParetoSuite } from "./suite.ts";
import { flowsOf, keysIn } from "./traffic.ts";
import { settingsOf, type Setting } from "./world.ts";

/** How often a run stands still to be looked at, for each window. */
const LOOKS = 10;

export interface Played {
  readonly history: History;
  readonly bytes: number; // when they were most
}

export function played({ variant, plan, model }: Setting, everyUs: number): Played {
  const setting = simulationOf(variant, plan, null);
  if (setting === null) throw new Error("the world of a cell has faults");
  const run = begin({ ...setting, model });
  let bytes = 0;
  for (let atUs = everyUs; atUs <= plan.untilUs; atUs += everyUs) {
    playUntil(run, atUs);
    bytes = Math.max(bytes, bytesHeld(run.engine));
  }
  finish(run);
  bytes = Math.max(bytes, bytesHeld(run.engine));
  return { history: virtualHistory(variant, plan, run.engine, []), bytes };
}

/** One seed, the same traffic for all algorithms. */
export const seedsOf = ({ runs }: ParetoSuite, seed: number): readonly number[] => {
  const chance = rng(seed, "pareto/runs");
  return Array.from({ length: runs }, () => chance.int(2 ** 32));
};

export function playCell(cell: Cell, suite: ParetoSuite, seed: number): readonly Figures[] {
  const { rate } = suite;
  const { algorithm, fleet, traffic } = cell;
  const perUs = suite.perMs * 1000;
  const settings = settingsOf({ algorithm, fleet, keys: keysIn(traffic, suite) }, suite);
  return seedsOf(suite, seed).map((each) => {
    const setting = settings(flowsOf(traffic, suite, each), each);
    const { history, bytes } = played(setting, perUs / LOOKS);
    return figuresOf(history, { rate, perUs, bytes });
  });
}

/** What the store holds, and what each gateway counts for itself, priced alike. */
const bytesHeld = ({ shared, nodes, model }: Engine): number =>
  (model?.held() ?? 0) * BYTES_PER_COUNTER +
  [shared, ...nodes.map(({ own }) => own)].reduce((sum, store) => sum + bytesIn(store), 0);
