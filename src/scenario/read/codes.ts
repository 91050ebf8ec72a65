// Every code that reading a scenario file can raise, with the sentence the documentation gives it.
// Codes of the configuration inside a world stand with whoever reads configurations.

export const SCENARIO_CODES = {
  "SCN-YAML": "The file is not YAML 1.2, so nothing behind this place was read.",
  "SCN-YAML-FEATURE":
    "The file uses a part of YAML that scenarios leave out: anchors, aliases, tags, merge keys, directives, several documents.",
  "SCN-DUPLICATE-FIELD": "The same name stands twice in one map.",
  "SCN-UNKNOWN-FIELD":
    "The name is not a field here, or it does not go with the word chosen beside it.",
  "SCN-MISSING-FIELD": "A field that has to be there is not.",
  "SCN-ONE-OF": "Several words stand side by side of which exactly one may be chosen.",
  "SCN-VALUE": "The value is of the wrong type, or outside what the field can hold.",
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
    "A world whose faults are expected is never run, so only `configuration` expectations can look at it.",
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
