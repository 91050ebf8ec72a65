// The experiments with the first position of their handles, run while the site is built.
import { playgroundWith } from "../address.ts";
import { runScenario } from "../run-scenario.ts";
import { columnsOf, type Columns } from "./columns.ts";
import { EXPERIMENT_FILE, EXPERIMENTS, type SiteExperiment } from "./experiments.ts";
import type { ShownExperiment } from "./home-page.ts";

export async function runExperiments(): Promise<readonly ShownExperiment[]> {
  const shown: ShownExperiment[] = [];
  for (const experiment of EXPERIMENTS) {
    const value = experiment.handle.usual;
    const address = await playgroundWith(EXPERIMENT_FILE, experiment.text(value));
    const run = { value, lanes: await lanesOf(experiment, value) };
    shown.push({ experiment, run, address });
  }
  return shown;
}

export async function lanesOf(
  experiment: SiteExperiment,
  value: number,
): Promise<readonly Columns[]> {
  const steps = runScenario({ file: EXPERIMENT_FILE, text: experiment.text(value), seed: 1 });
  let step = await steps.next();
  while (step.done !== true) step = await steps.next();
  if (step.value === null) throw new Error(`the experiment ${experiment.id} does not run`);
  const lanes: Columns[] = [];
  for (const variant of experiment.lanes.keys()) {
    const marks = await step.value.marks(variant);
    if (marks === null) throw new Error(`the experiment ${experiment.id} needs another driver`);
    lanes.push(columnsOf(marks, experiment.shown));
  }
  return lanes;
}
