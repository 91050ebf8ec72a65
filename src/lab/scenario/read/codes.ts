// Every code that reading a scenario file can raise, with its sentence in the documentation. The configuration reader
// has the codes for the configuration in a world.
import { READING_CODES } from "../../../kit/reading/codes.ts";
import { report, type Path, type Problem } from "../../../kit/reading/problems.ts";

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
    "The file refers to a name that nothing in it has: a flow, a client, an API, a stage, an axis, an event, a series.",
  "SCN-DUPLICATE-NAME": "Two things of one kind have the same name.",
  "SCN-REQUIREMENT": "The requirement id is not known.",
  "SCN-VARIABLE": "`$name` is used as a value, but no axis of the matrix has this name.",
  "SCN-UNUSED-AXIS":
    "No value in the world, the traffic, the injected faults or the expectations uses this axis, so its cells would all be the same.",
  "SCN-MATRIX": "The matrix has no cells, too many, or one value twice.",
  "SCN-VACUOUS": "The expectation would hold even if nothing happened at all.",
  "SCN-TRAFFIC": "The traffic is missing, or there is too much of it to plan.",
  "SCN-METHOD": "Warning: The method is none of the usual ones of HTTP.",
  "SCN-NO-API":
    "Warning: No API listens at the path of a flow, so all its requests are rejected before any limit.",
  "SCN-FILE": "The configuration of another limiter cannot be read.",
  "SCN-RULES":
    "Warning: A part of the configuration of another limiter is not understood, or has a value that only production has.",
  "SCN-LATE-FAULT":
    "Warning: The injected fault begins after the last request, so nothing meets it.",
  "SCN-BROKEN-WORLD":
    "A world whose errors are expected is never run, so only `configuration` expectations can look at it.",
} as const satisfies Readonly<Record<string, string>>;

/** Codes of reading a stored history. */
export const HISTORY_CODES = {
  "HIST-FORMAT": "The history has a format that this version does not read.",
  "HIST-JSON": "The line is not a JSON object.",
  "HIST-RECORD": "The record lacks a field, or has an unknown or invalid one.",
  "HIST-ORDER": "A request is missing or out of order, or a record follows the footer.",
  "HIST-COUNT": "The counts in the footer differ from the records in the file.",
  "HIST-CUT-OFF": "The file ends without its footer, so an unknown part is missing.",
} as const satisfies Readonly<Record<string, string>>;

export type ScenarioCode = keyof typeof SCENARIO_CODES;
