// Decode, plan, play, check, print: the whole way of a scenario, from top to bottom.
import { setImmediate } from "node:timers/promises";
import type { Result } from "../scenario/verdict.ts";
import type { Scenario } from "../scenario/types.ts";
import type { Action } from "./arguments.ts";
import { EXIT } from "./exit.ts";
import { historyFolder } from "./history-folder.node.ts";
import { variantsMeant } from "./only.ts";
import { seedOf } from "./parse-arguments.node.ts";
import { runScenario } from "./pipeline.ts";
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
  const chosen = choose(scenarios, only);
  if (chosen.length === 0) {
    err(
      `--only: no scenario, variant or requirement here is called "${only}"; weir list shows them`,
    );
    return EXIT.usage;
  }
  const histories = historyFolder(values.get("history"));
  if (typeof histories === "string") {
    err(histories);
    return EXIT.usage;
  }

  const isPlain = !switches.has("json") && !switches.has("quiet");
  if (isPlain) out(`seed ${seed}`);
  const stop = interruption();
  const started = performance.now();
  const results: Result[] = [];
  let virtualUs = 0;
  let done = 0;
  for (const { scenario, meant } of chosen) {
    const real = (performance.now() - started) * 1000;
    const speed = done === 0 ? "" : `, ${Math.round(virtualUs / real)}x real time`;
    status(`${done + 1} of ${chosen.length}${speed}: ${scenario.id}`);
    // Signals are only heard between two turns of the event loop.
    await setImmediate();
    if (stop.isWanted()) break;
    const runs = runScenario(scenario, seed).runs.filter(({ variant }) => meant.has(variant.name));
    for (const { history } of runs) {
      const fault = histories.keep(history);
      if (fault === null) continue;
      err(fault);
      return EXIT.usage;
    }
    const shown = runs.map(({ result }) => result);
    results.push(...shown);
    virtualUs += shown.reduce((total, result) => total + result.virtualUs, 0);
    done += 1;
    const isGood = shown.every(({ outcome }) => outcome === "pass" || outcome === "unsupported");
    if (isPlain && !(terminal.isWatched && isGood && !switches.has("verbose")))
      out(scenarioLine(scenario.id, shown, paint));
    if (!isGood && switches.has("bail")) break;
  }
  err(speedUp(virtualUs, performance.now() - started));
  const left = chosen.length - done;
  if (left > 0)
    err(
      `${stop.isWanted() ? "interrupted" : "stopped"}: ${done} of ${chosen.length} scenarios ran`,
    );
  const exit = report(terminal, switches, {
    seed,
    results,
    isComplete: left === 0,
    isWhole: only === undefined && operands.every(isWholeSuite),
  });
  return stop.isWanted() ? EXIT.interrupted : exit;
};

interface Chosen {
  readonly scenario: Scenario;
  readonly meant: ReadonlySet<string>;
}

function choose(scenarios: readonly Scenario[], only = "*"): readonly Chosen[] {
  return scenarios.flatMap((scenario) => {
    const meant = variantsMeant(scenario, only);
    return meant === null ? [] : [{ scenario, meant }];
  });
}

/** The first Ctrl-C ends the run in good order; a second one ends the process. */
function interruption(): { readonly isWanted: () => boolean } {
  let wanted = false;
  process.once("SIGINT", () => (wanted = true));
  return { isWanted: () => wanted };
}
