// A scenario of the playground as a file: `weir run` records the same history of it, wherever it is saved.
import type { ScenarioReport } from "../../lab/report/model.ts";
import type { ScenarioText } from "./run-scenario.ts";

export interface SavedScenario {
  readonly name: string;
  readonly text: string;
}

/** The history has the scenario's id, which follows from the path of a file unless the file has its own. */
export function fileToSave(
  { file, text }: ScenarioText,
  report: Pick<ScenarioReport, "id" | "source"> | null,
): SavedScenario {
  const name = file.split(/[/\\]/).at(-1) ?? "";
  const hasId = /^(?:id|"id"|'id')\s*:/m.test(text);
  return {
    name: /\.ya?ml$/.test(name) ? name : `${name || "scenario"}.yaml`,
    // Of a text that has an error nothing ran.
    text: hasId || report === null || report.source !== text ? text : `id: ${report.id}\n${text}`,
  };
}
