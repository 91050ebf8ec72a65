// A scenario of the playground as a file. Wherever it is saved, `weir run` records the same history for it.
import type { ScenarioReport } from "../../lab/report/model.ts";
import type { ScenarioText } from "./run-scenario.ts";

export interface SavedScenario {
  readonly name: string;
  readonly text: string;
}

/** Writes the scenario's id into the file. Without it, the id in histories would change with the path of the file. */
export function fileToSave(
  { file, text }: ScenarioText,
  report: Pick<ScenarioReport, "id" | "source"> | null,
): SavedScenario {
  const name = file.split(/[/\\]/).at(-1) ?? "";
  const hasId = /^(?:id|"id"|'id')\s*:/m.test(text);
  return {
    name: /\.ya?ml$/.test(name) ? name : `${name || "scenario"}.yaml`,
    // A text that has not run, for example because of an error, is saved unchanged.
    text: hasId || report === null || report.source !== text ? text : `id: ${report.id}\n${text}`,
  };
}
