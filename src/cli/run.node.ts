// Decode, plan, play, check, print: the whole way of a scenario, from top to bottom.
import type { Result } from "../scenario/verdict.ts";
import type { Scenario } from "../scenario/types.ts";
import type { Action } from "./arguments.ts";
import { EXIT } from "./exit.ts";
import { makeFolder } from "./history-folder.node.ts";
import { variantsMeant } from "./only.ts";
import { seedOf } from "./parse-arguments.node.ts";
import { playAll, threadsFor } from "./play-all.node.ts";
import type { Task } from "./play.node.ts";
import { report } from "./run-report.ts";
import { scenarioLine, speedUp } from "./run-text.ts";
import { isWholeSuite, readScenarios } from "./scenario-files.node.ts";
import { watch } from "./watch.node.ts";

export const run: Action = async ({ operands, switches, values }, terminal, refuse) => {
  const { out, err, status, paint } = terminal;
  const seed = seedOf(values);
  if (typeof seed === "string") return refuse(seed);
  if (switches.has("watch")) return watch(operands, terminal);

  const { scenarios, faults, warnings } = readScenarios(operands);
  if (faults.length > 0) {
    for (const fault of faults) err(fault);
    return EXIT.usage;
  }
  if (switches.has("verbose")) for (const warning of warnings) err(warning);
  const only = values.get("only");
  const tasks = tasksOf(scenarios, only);
  if (tasks.length === 0) {
    err(
      `--only: no scenario, variant or requirement here is called "${only}"; weir list shows them`,
    );
    return EXIT.usage;
  }
  const histories = values.get("history");
  const noFolder = histories === undefined ? null : makeFolder(histories);
  if (noFolder !== null) {
    err(noFolder);
    return EXIT.usage;
  }

  const isPlain = !switches.has("json") && !switches.has("quiet");
  if (isPlain) out(`seed ${seed}`);
  const stop = interruption();
  const started = performance.now();
  const results: Result[] = [];
  let virtualUs = 0;
  let done = 0;
  for await (const finished of playAll(tasks, { seed, histories }, threadsFor(tasks))) {
    if (stop.isWanted()) break;
    if (finished.fault !== null) {
      err(finished.fault);
      return EXIT.usage;
    }
    const shown = finished.results;
    const { id } = tasks[finished.index]!.scenario;
    results.push(...shown);
    virtualUs += shown.reduce((total, result) => total + result.virtualUs, 0);
    done += 1;
    const isGood = shown.every(({ outcome }) => outcome === "pass" || outcome === "unsupported");
    if (isPlain && !(terminal.isWatched && isGood && !switches.has("verbose")))
      out(scenarioLine(id, shown, paint));
    const speed = Math.round(virtualUs / 1000 / (performance.now() - started));
    status(`${done} of ${tasks.length}, ${speed}x real time: ${id}`);
    if (!isGood && switches.has("bail")) break;
  }
  if (warnings.length > 0 && !switches.has("quiet") && !switches.has("verbose"))
    err(`${warnings.length} warnings; --verbose shows them`);
  err(speedUp(virtualUs, performance.now() - started));
  const left = tasks.length - done;
  if (left > 0)
    err(`${stop.isWanted() ? "interrupted" : "stopped"}: ${done} of ${tasks.length} scenarios ran`);
  const exit = report(terminal, switches, {
    seed,
    results,
    isComplete: left === 0,
    isWhole: only === undefined && operands.every(isWholeSuite),
  });
  return stop.isWanted() ? EXIT.interrupted : exit;
};

function tasksOf(scenarios: readonly Scenario[], only = "*"): readonly Task[] {
  return scenarios
    .flatMap((scenario) => {
      const meant = variantsMeant(scenario, only);
      return meant === null ? [] : [{ scenario, meant }];
    })
    .map((chosen, index) => ({ ...chosen, index }));
}

/** The first Ctrl-C ends the run in good order, as soon as a scenario on this thread is through. */
function interruption(): { readonly isWanted: () => boolean } {
  let wanted = false;
  process.once("SIGINT", () => (wanted = true));
  return { isWanted: () => wanted };
}
