import { coverage, type Cover } from "../check/coverage.ts";
import type { Scenario } from "../scenario/types.ts";
import { REQUIREMENTS } from "../spec/requirements.ts";
import type { Action } from "./arguments.ts";
import { EXIT } from "./exit.ts";
import { many } from "./run-text.ts";
import { readScenarios } from "./scenario-files.node.ts";
import type { Terminal } from "./terminal.ts";
import { wrapped } from "./wrapped.ts";

type Paint = Terminal["paint"];

export const list: Action = ({ operands, switches }, { out, err, paint }) => {
  const { scenarios, faults } = readScenarios(operands);
  if (faults.length > 0) {
    for (const fault of faults) err(fault);
    return EXIT.usage;
  }
  const isJson = switches.has("json");
  if (switches.has("requirements")) {
    const covers = coverage(REQUIREMENTS, scenarios);
    if (isJson) out(json({ format: "weir-requirements/1", requirements: covers.map(coverJson) }));
    else for (const cover of covers) out(coverText(cover, paint));
  } else if (isJson) out(json({ format: "weir-list/1", scenarios: scenarios.map(scenarioJson) }));
  else {
    for (const scenario of scenarios) out(scenarioText(scenario, paint));
    const variants = scenarios.reduce((total, scenario) => total + scenario.variants.length, 0);
    out(`${many(scenarios.length, "scenario")}, ${many(variants, "variant")}`);
  }
  return EXIT.passed;
};

const json = (value: unknown): string => JSON.stringify(value, null, 2);

const scenarioJson = ({ variants, ...scenario }: Scenario): unknown => ({
  id: scenario.id,
  file: scenario.file,
  title: scenario.title,
  proves: scenario.proves,
  kills: scenario.kills,
  needs: scenario.needs,
  variants: variants.map(({ name }) => name),
});

const coverJson = ({ requirement, scenarios, variants }: Cover): unknown => ({
  ...requirement,
  scenarios,
  variants,
});

const scenarioText = ({ id, title, variants, proves }: Scenario, paint: Paint): string =>
  [
    `${paint("strong", id)}  ${paint("faint", many(variants.length, "variant"))}`,
    `  ${title}`,
    `  ${paint("faint", "proves")} ${proves.join(", ")}`,
  ].join("\n");

function coverText({ requirement, scenarios, variants }: Cover, paint: Paint): string {
  const { id, tier, state, section, text } = requirement;
  const built = scenarios.length === 0 && state === "built";
  const proved =
    scenarios.length === 0
      ? paint(built ? "bad" : "faint", state === "built" ? "no scenario" : "planned")
      : paint("faint", many(variants, "variant"));
  return [
    `${paint("strong", id)}  ${tier}  ${proved}  ${paint("faint", section)}`,
    ...wrapped(text, 86).map((line) => `  ${line}`),
    ...scenarios.map((scenario) => `    ${scenario}`),
  ].join("\n");
}
