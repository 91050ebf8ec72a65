// Every code that reading a scenario file can raise, with the sentence the documentation gives it.
// Codes of the configuration inside a world stand with whoever reads configurations.
import { READING_CODES } from "../../reading/codes.ts";
import { report, type Path, type Problem } from "../../reading/problems.ts";

export const scn: (
  problems: Problem[],
  code: ScenarioCode,
  path: Path,
  message: string,
  fix?: string,
) => undefined = report;

export const SCENARIO_CODES = {
  ...READING_CODES,
  "SCN-NAME":
    "A name is referred to that nothing in the file has: a flow, a client, an API, a stage, an axis, an event, a series.",
  "SCN-DUPLICATE-NAME": "Two things of one kind have the same name.",
  "SCN-REQUIREMENT": "The requirement id is not known.",
  "SCN-VARIABLE": "A `$name` stands for a value, but no axis of the matrix is called so.",
  "SCN-UNUSED-AXIS":
    "No value in the world, the traffic, the faults or the expectations uses this axis, so its cells would all be the same.",
  "SCN-MATRIX": "The matrix has no cells, too many, or one value twice.",
  "SCN-VACUOUS": "The expectation would hold even if nothing happened at all.",
  "SCN-TRAFFIC": "The traffic is missing, or there is too much of it to plan.",
  "SCN-METHOD": "Warning: The method is none of the usual ones of HTTP.",
  "SCN-NO-API":
    "Warning: No API listens at the path of a flow, so all its requests are rejected before any limit.",
  "SCN-LATE-FAULT": "Warning: The fault begins after the last request, so nothing meets it.",
  "SCN-BROKEN-WORLD":
    "A world whose errors are expected is never run, so only `configuration` expectations can look at it.",
} as const satisfies Readonly<Record<string, string>>;

/** And of reading a stored history. */
export const HISTORY_CODES = {
  "HIST-FORMAT": "The history was written in another format than is read here.",
  "HIST-JSON": "The line is not a JSON object.",
  "HIST-RECORD": "The record has a field that does not fit, or lacks one.",
  "HIST-ORDER": "A request is missing or out of order, or something stands behind the footer.",
  "HIST-COUNT": "The footer counts other numbers than the file has.",
  "HIST-CUT-OFF": "The file ends without its footer, so an unknown part is missing.",
} as const satisfies Readonly<Record<string, string>>;

export type ScenarioCode = keyof typeof SCENARIO_CODES;
