// Decode, plan, play, check, print: the whole way of a scenario, from top to bottom.
import { setImmediate } from "node:timers/promises";
import { byRequirement } from "../check/by-requirement.ts";
import type { Result } from "../scenario/verdict.ts";
import { REQUIREMENTS } from "../spec/requirements.ts";
import type { Action } from "./arguments.ts";
import { EXIT, type ExitCode } from "./exit.ts";
import { variantsMeant } from "./only.ts";
import { seedOf } from "./parse-arguments.node.ts";
import { runScenario } from "./pipeline.ts";
import {
  countsOf,
  failureText,
  lastLine,
  requirementLines,
  scenarioLine,
  speedUp,
} from "./run-text.ts";
import { readScenarios } from "./scenario-files.node.ts";

export const run: Action = async ({ operands, values }, terminal, refuse) => {
  const { out, err, status, paint } = terminal;
  const seed = seedOf(values);
  if (typeof seed === "string") return refuse(seed);
  const { scenarios, faults } = readScenarios(operands);
  if (faults.length > 0) {
    for (const fault of faults) err(fault);
    return EXIT.usage;
  }
  out(`seed ${seed}`);
  const only = values.get("only") ?? "*";
  const started = performance.now();
  const results: Result[] = [];
  for (const [index, scenario] of scenarios.entries()) {
    const meant = variantsMeant(scenario, only);
    if (meant === null) continue;
    status(`${index + 1} of ${scenarios.length} ${scenario.id}`);
    await setImmediate();
    const shown = runScenario(scenario, seed)
      .runs.map(({ result }) => result)
      .filter(({ variant }) => meant.has(variant));
    out(scenarioLine(scenario.id, shown, paint));
    results.push(...shown);
  }
  const virtualUs = results.reduce((total, result) => total + result.virtualUs, 0);
  for (const line of requirementLines(byRequirement(REQUIREMENTS, results), paint)) out(line);
  for (const result of results.filter(({ outcome }) => outcome !== "pass"))
    for (const line of failureText(result, paint, seed)) out(line);
  err(speedUp(virtualUs, performance.now() - started));
  out(lastLine(countsOf(results)));
  return exitOf(results);
};

function exitOf(results: readonly Result[]): ExitCode {
  const any = (...outcomes: readonly Result["outcome"][]): boolean =>
    results.some(({ outcome }) => outcomes.includes(outcome));
  if (any("fail", "error")) return EXIT.failed;
  return any("vacuous", "inconclusive") ? EXIT.unproven : EXIT.passed;
}
