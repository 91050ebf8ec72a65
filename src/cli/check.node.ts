// Checks saved histories with the same checks and output as `weir run`, without running anything.
import { isFailure } from "../kit/reading/failure.ts";
import type { Action } from "./arguments.ts";
import { EXIT } from "./exit.ts";
import { readStoredRun, type StoredRun } from "../lab/run/history-input.node.ts";
import { checkHistories } from "../lab/run/pipeline.ts";
import { withoutUnproven } from "../lab/scenario/verdict.ts";
import { notRun, report } from "./run-report.ts";
import { scenarioLine } from "./run-text.ts";
import { findFiles } from "../lab/run/scenario-files.node.ts";
import { outputFilesOf, removeOutputs, saveOutputs } from "./output-files.node.ts";
import { reportProblems } from "./terminal.ts";

export const check: Action = ({ operands, switches, values, lists }, terminal, refuse) => {
  const { err, paint } = terminal;
  const elsewhere = outputFilesOf(lists.get("out") ?? []);
  if (isFailure(elsewhere)) return refuse(elsewhere.message);
  const { files, problems } = findFiles(operands, "history (*.ndjson)", /\.ndjson$/);
  const allProblems = [...problems];
  const stored: StoredRun[] = [];
  for (const file of files) {
    const read = readStoredRun(file, values.get("scenario"));
    if (isFailure(read)) allProblems.push(...read.problems);
    else stored.push(read);
  }
  if (allProblems.length > 0) {
    reportProblems(terminal, "check", allProblems);
    saveOutputs(elsewhere, notRun(null, allProblems), terminal);
    return EXIT.usage;
  }
  const outputProblem = removeOutputs(elsewhere);
  if (outputProblem !== null) {
    err(outputProblem);
    return EXIT.usage;
  }
  const isPlain = !switches.has("json") && !switches.has("quiet");
  const scenarioLines: string[] = [];
  const results = together(stored).flatMap((runs) => {
    const { scenario } = runs[0]!;
    const found = checkHistories(scenario, runs).runs.map(({ result }) => result);
    if (isPlain) scenarioLines.push(scenarioLine(scenario.id, found, paint));
    return found;
  });
  const reported = {
    seed: null,
    results: withoutUnproven(results),
    isComplete: true,
    isWhole: false,
    scenarioLines,
  };
  const exit = report(terminal, switches, reported);
  const isSaved = saveOutputs(elsewhere, reported, terminal);
  return exit === EXIT.passed && !isSaved ? EXIT.usage : exit;
};

/** Groups histories into runs. A run has one scenario and one seed, and each variant at most once. */
function together(stored: readonly StoredRun[]): readonly (readonly StoredRun[])[] {
  const groups: StoredRun[][] = [];
  for (const run of stored) {
    const group = groups.find(
      ([first, ...rest]) =>
        first!.scenario.id === run.scenario.id &&
        first!.history.header.seed === run.history.header.seed &&
        [first!, ...rest].every(({ variant }) => variant.name !== run.variant.name),
    );
    if (group === undefined) groups.push([run]);
    else group.push(run);
  }
  return groups;
}
