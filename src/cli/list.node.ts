import {
  coverage,
  coverageProblems,
  pathProblems,
  listReachedPaths,
  type RequirementCoverage,
  type LimitPath,
} from "../lab/check/coverage.ts";
import { BECAUSE, WITHOUT_STORE } from "../limiter/core/because.ts";
import { many, oneLine } from "../kit/reading/legible.ts";
import type { Result } from "../lab/scenario/verdict.ts";
import type { Scenario } from "../lab/scenario/types.ts";
import { REQUIREMENTS } from "../limiter/spec/requirements.ts";
import type { Action } from "./arguments.ts";
import { EXIT } from "./exit.ts";
import { startRunThreads, threadsFor, UNWATCHED } from "../lab/run/run-threads.node.ts";
import { readScenarios } from "../lab/run/read-scenarios.node.ts";
import { DEFAULT_FOLDER, isOwnSuite, sourcesAt } from "../lab/run/scenario-files.node.ts";
import { wrap } from "../kit/reading/table.ts";
import { reportProblems, type Terminal } from "./terminal.ts";

type Paint = Terminal["paint"];

export const list: Action = async ({ operands, switches }, terminal) => {
  const { out, err, paint } = terminal;
  const { scenarios, errors } = readScenarios(operands);
  if (errors.length > 0) {
    reportProblems(terminal, "list", errors);
    return EXIT.usage;
  }
  const isJson = switches.has("json");
  if (switches.has("requirements")) {
    const covers = coverage(REQUIREMENTS, scenarios);
    // Part of the suite proves only some requirements, so unproved ones are reported only for the whole suite.
    const isWhole = (operands.length === 0 ? [DEFAULT_FOLDER] : operands).every(isOwnSuite);
    const marks = isWhole ? await marksOf(operands, terminal) : [];
    const missing = isWhole ? [...coverageProblems(covers), ...pathProblems(marks)] : [];
    if (isJson)
      out(
        json({
          format: "weir-requirements/1",
          requirements: covers.map(coverJson),
          marks,
          faults: missing,
        }),
      );
    else {
      const shown = isWhole ? covers : covers.filter(({ variants }) => variants > 0);
      for (const cover of shown) out(coverText(cover, paint));
      for (const mark of marks) out(markText(mark, paint));
      out(isWhole ? countsText(covers) : partText(shown.length, covers.length));
    }
    for (const problem of missing) err(problem);
    return missing.length === 0 ? EXIT.passed : EXIT.failed;
  }
  if (isJson) out(json({ format: "weir-list/1", scenarios: scenarios.map(scenarioJson) }));
  else {
    for (const scenario of scenarios) out(scenarioText(scenario, paint));
    const variants = scenarios.reduce((total, scenario) => total + scenario.variants.length, 0);
    out(`${many(scenarios.length, "scenario")}, ${many(variants, "variant")}`);
  }
  return EXIT.passed;
};

/** Runs the scenarios, because only their requests show by which paths they reach a limit. */
async function marksOf(
  paths: readonly string[],
  { status }: Terminal,
): Promise<readonly LimitPath[]> {
  const { sources } = sourcesAt(paths);
  const settings = { seed: 1, only: [], histories: undefined };
  const players = startRunThreads(threadsFor(sources.length), settings);
  const results: Result[] = [];
  let done = 0;
  try {
    for await (const played of players.run(sources, UNWATCHED)) {
      results.push(...played.results);
      status(`${++done} of ${many(sources.length, "scenario")} run`);
    }
  } finally {
    await players.dismiss();
  }
  return listReachedPaths(Object.values(BECAUSE), WITHOUT_STORE, results);
}

const markText = ({ ids, scenarios }: LimitPath, paint: Paint): string =>
  `${paint("strong", `because ${ids}`)}  ${paint(scenarios.length === 0 ? "bad" : "faint", `decides in ${many(scenarios.length, "scenario")}`)}`;

const partText = (some: number, all: number): string =>
  `${some} of the ${all} requirements of Weir's specification have a scenario here`;

function countsText(covers: readonly RequirementCoverage[]): string {
  const built = covers.filter(({ requirement }) => requirement.state === "built").length;
  return `${many(covers.length, "requirement")}: ${built} built, ${covers.length - built} planned`;
}

const json = (value: unknown): string => JSON.stringify(value, null, 2);

const scenarioJson = ({ variants, ...scenario }: Scenario): unknown => ({
  id: scenario.id,
  file: scenario.file,
  title: scenario.title,
  proves: scenario.proves,
  needs: scenario.needs,
  variants: variants.map(({ name }) => name),
});

const coverJson = ({ requirement, scenarios, variants }: RequirementCoverage): unknown => ({
  ...requirement,
  scenarios,
  variants,
});

const scenarioText = ({ id, title, variants, proves }: Scenario, paint: Paint): string =>
  [
    `${paint("strong", id)}  ${paint("faint", many(variants.length, "variant"))}`,
    `  ${oneLine(title)}`,
    ...(proves.length === 0 ? [] : [`  ${paint("faint", "proves")} ${proves.join(", ")}`]),
  ].join("\n");

function coverText(
  { requirement, scenarios, variants }: RequirementCoverage,
  paint: Paint,
): string {
  const { id, tier, state, section, text } = requirement;
  const built = scenarios.length === 0 && state === "built";
  const proved =
    scenarios.length === 0
      ? paint(built ? "bad" : "faint", state === "built" ? "no scenario" : "planned")
      : paint("faint", many(variants, "variant"));
  return [
    `${paint("strong", id)}  ${tier}  ${proved}  ${paint("faint", section)}`,
    ...wrap(text, 86).map((line) => `  ${line}`),
    ...scenarios.map((scenario) => `    ${scenario}`),
  ].join("\n");
}
