import type { Result } from "../scenario/verdict.ts";
import type { Scenario } from "../scenario/types.ts";
import { historyFolder, type HistoryFolder } from "./history-folder.node.ts";
import { runScenario } from "./pipeline.ts";

/** What is wanted of one scenario. It crosses threads, so it is nothing but data. */
export interface Task {
  readonly index: number;
  readonly scenario: Scenario;
  readonly meant: ReadonlySet<string>; // names of variants
}

export interface Settings {
  readonly seed: number;
  readonly histories: string | undefined; // a folder
}

export interface Finished {
  readonly index: number;
  readonly results: readonly Result[];
  readonly fault: string | null; // why its histories could not be kept
}

export function player({ seed, histories }: Settings): (task: Task) => Finished {
  const folder = historyFolder(histories);
  return (task) => playOne(task, seed, folder);
}

/** All variants are played, because some expectations compare them; only those that are meant are told. */
function playOne({ index, scenario, meant }: Task, seed: number, folder: HistoryFolder): Finished {
  const runs = played(scenario, seed).filter(({ variant }) => meant.has(variant.name));
  let fault: string | null = null;
  for (const { history } of runs) fault ??= folder.keep(history);
  return { index, results: runs.map(({ result }) => result), fault };
}

function played(scenario: Scenario, seed: number): ReturnType<typeof runScenario>["runs"] {
  try {
    return runScenario(scenario, seed).runs;
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    throw new Error(`${scenario.id}: ${message}`, { cause: error });
  }
}
