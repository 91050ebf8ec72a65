// Runs scenarios and draws what came of them: one page, and the same as JSON for programs.
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { playVariant } from "../drivers/virtual.node.ts";
import { buildReport } from "../report/build.ts";
import { toHtml } from "../report/html.ts";
import type { Action } from "./arguments.ts";
import { EXIT } from "./exit.ts";
import { seedOf } from "./parse-arguments.node.ts";
import { runScenario, type ScenarioRun } from "./pipeline.ts";
import { exitOf } from "./run-report.ts";
import { readScenarios } from "./read-scenarios.node.ts";
import { whyUnreadable } from "./text-file.node.ts";

const DEFAULT_FILE = "reports/runs/latest.html";

export const report: Action = async ({ operands, values }, { out, err, status }, refuse) => {
  const seed = seedOf(values);
  if (typeof seed === "string") return refuse(seed);
  const file = values.get("out") ?? DEFAULT_FILE;
  if (!file.endsWith(".html"))
    return refuse(`--out takes a file that ends in .html, not "${file}"`);
  const { scenarios, faults } = readScenarios(operands);
  if (faults.length > 0) {
    for (const fault of faults) err(fault);
    return EXIT.usage;
  }
  const judged: ScenarioRun[] = [];
  for (const scenario of scenarios) {
    status(`${judged.length + 1} of ${scenarios.length}: ${scenario.id}`);
    judged.push(await runScenario(scenario, seed, playVariant));
  }
  status(`drawing ${scenarios.length} scenarios`);
  const built = buildReport(judged, seed);
  const page = await toHtml(built);
  try {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, page);
    writeFileSync(file.replace(/\.html$/, ".json"), `${JSON.stringify(built)}\n`);
  } catch (error) {
    err(`${file}: ${whyUnreadable(error)}`);
    return EXIT.usage;
  }
  out(file);
  return exitOf(judged.flatMap(({ runs }) => runs.map(({ result }) => result)));
};
