// Decodes the text of a scenario file to a scenario, or to all its problems in the order of lines. Never throws.
import { commandLine } from "../../../kit/command-line.ts";
import { nearest, type Path, type Problem } from "../../../kit/reading/problems.ts";
import { chartList } from "./charts.ts";
import type { ScenarioCode } from "./codes.ts";
import { CAPABILITIES, needsOf } from "./needs.ts";
import { requirementIds } from "./proves.ts";
import { correctNames, record } from "../../../kit/reading/record.ts";
import {
  anything,
  isJsonMap,
  listOf,
  matching,
  oneOf,
  optional,
  mandatory,
  text,
  type Fields,
  type Json,
} from "../../../kit/reading/shape.ts";
import {
  readSource,
  sourceOf,
  type PositionedProblem,
  type FileKind,
  type YamlSource,
} from "../../../kit/reading/source.ts";
import { NO_RULES_FILES, type RulesReader } from "./rules.ts";
import { NO_TRACE_FILES, type TraceFileReader } from "./trace.ts";
import { RESULT_LISTS, type Scenario } from "../types.ts";
import { readVariants } from "./variants.ts";

export const SCENARIO_FILE: FileKind = {
  one: "scenario",
  many: "scenarios",
  get whenEmpty() {
    return `${commandLine("new FOLDER/NAME")} creates a first scenario`;
  },
  insteadOfAlias: "write the value out, or vary it with the matrix",
};

export interface Decoded {
  /** Null if the file has an error. */
  readonly scenario: Scenario | null;
  /** Errors, and the warnings of the configuration check. */
  readonly problems: readonly PositionedProblem[];
}

export const SCENARIO_FIELDS = {
  id: optional(
    matching(
      "an id",
      /^[A-Za-z0-9][A-Za-z0-9._-]*(?:\/[A-Za-z0-9][A-Za-z0-9._-]*)*$/,
      "write names of letters, digits, . _ and - with / between them, such as limits/first",
    ),
    null,
    "The name of the scenario in results. Left out: the path of the file, without a leading `scenarios/` and without the file's ending. Random latencies, balancing and retries depend on it, so give a file that may move an id.",
  ),
  title: mandatory(text, "What the scenario shows, as half a sentence."),
  about: optional(text, "", "Why the scenario is built this way."),
  proves: optional(
    requirementIds,
    [],
    "The requirements of the specification that it is about. Only Weir's own suite has to name them.",
  ),
  needs: optional(
    listOf(oneOf(CAPABILITIES)),
    [],
    "Capabilities that a driver needs. Capabilities that follow from the file are added.",
  ),
  matrix: optional(
    anything,
    null,
    "Axes, each with its values. Every combination is a variant; `$axis` is replaced by the value.",
  ),
  world: mandatory(anything, "The configuration, and the environment of the gateways."),
  traffic: optional(anything, [], "The requests: client, path and time."),
  faults: optional(anything, [], "Injected faults."),
  expect: mandatory(anything, "Claims about the run that have to be true."),
  charts: optional(chartList, [], "What the report draws."),
  lists: optional(
    listOf(oneOf(RESULT_LISTS)),
    [],
    "What the JSON document of a run lists of each variant. `clients`: the distribution of served share, time to success, attempts and requests given up over the clients, and the 20 clients with the smallest share.",
  ),
} as const satisfies Fields;

const scenarioShape = record("a scenario", SCENARIO_FIELDS);

/** `readTraceFile` and `readRules` read files that the scenario names, from its folder. */
export function decode(
  file: string,
  content: string,
  readTraceFile: TraceFileReader = NO_TRACE_FILES,
  readRules: RulesReader = NO_RULES_FILES,
): Decoded {
  return decodeSource(file, readSource(file, content, SCENARIO_FILE), readTraceFile, readRules);
}

/** Decodes a document that a program built, without writing and parsing text. */
export const decodeDocument = (file: string, document: Json): Decoded =>
  decodeSource(file, sourceOf(file, document), NO_TRACE_FILES, NO_RULES_FILES);

function decodeSource(
  file: string,
  source: YamlSource,
  readTraceFile: TraceFileReader,
  readRules: RulesReader,
): Decoded {
  if (source.value === undefined)
    return { scenario: null, problems: sortProblems(source.problems) };
  const problems: Problem[] = [];
  const top = scenarioShape.read(source.value, [], problems);
  const { fields: parts, pathInFile } = correctNames(
    isJsonMap(source.value) ? source.value : {},
    Object.keys(SCENARIO_FIELDS),
  );
  const variantProblems: Problem[] = [];
  const lineOf = (path: Path): number => source.lineOf(pathInFile(path));
  const variants = readVariants(
    parts,
    top?.proves ?? [],
    lineOf,
    readTraceFile,
    readRules,
    variantProblems,
  );
  problems.push(...variantProblems.map((each) => ({ ...each, path: pathInFile(each.path) })));
  const causes = problems.filter((problem) => !isConsequence(problem, problems));
  const placed = sortProblems([
    ...source.problems,
    ...causes.map((problem) => source.place(problem)),
  ]);
  if (top === undefined || placed.some(({ severity }) => severity === "error"))
    return { scenario: null, problems: placed };
  const { id, title, about, proves, charts, lists } = top;
  return {
    scenario: {
      id: id ?? idOf(file),
      file,
      title,
      about,
      proves,
      needs: needsOf(top.needs, variants),
      variants,
      charts,
      lists,
    },
    problems: placed,
  };
}

/** Whether the problem is a `per` without `rate` that follows from a misspelt or unread `rate` next to it. */
const isConsequence = ({ code, path }: Problem, problems: readonly Problem[]): boolean =>
  code === "CFG-PER-WITHOUT-RATE" &&
  problems.some(
    (other) =>
      (other.code === "SCN-VARIABLE" || other.code === "CFG-UNKNOWN-FIELD") &&
      other.path.length === path.length &&
      path.slice(0, -1).every((step, index) => other.path[index] === step) &&
      nearest(String(other.path.at(-1)), ["rate"]) !== null,
  );

/** The id from the path that the command names, without parts that lead to another folder or the root. */
function idOf(file: string): string {
  const names = file
    .replaceAll("\\", "/")
    .split("/")
    .filter((name) => name !== "" && name !== "." && name !== ".." && !name.endsWith(":"));
  const below = names.length > 1 && names[0] === "scenarios" ? names.slice(1) : names;
  return below.join("/").replace(/\.ya?ml$/, "");
}

/** A value with one of these problems was not read, so further problems at its position are only consequences. */
const UNREAD_VALUE_CODES: ReadonlySet<string> = new Set<ScenarioCode>([
  "SCN-YAML",
  "SCN-YAML-FEATURE",
  "SCN-VARIABLE",
]);

/** Sorts problems by position. A problem that several variants have is listed once. */
function sortProblems(problems: readonly PositionedProblem[]): readonly PositionedProblem[] {
  const placeOf = ({ line, column }: PositionedProblem): string => `${line}:${column}`;
  const firstOfPlace = new Map(
    problems
      .filter(({ code }) => UNREAD_VALUE_CODES.has(code))
      .toReversed()
      .map((problem) => [placeOf(problem), problem]),
  );
  const independent = problems.filter(
    (problem) => (firstOfPlace.get(placeOf(problem)) ?? problem) === problem,
  );
  const once = new Map(
    independent.map((problem) => [
      `${placeOf(problem)} ${problem.code} ${problem.message}`,
      problem,
    ]),
  );
  return [...once.values()].toSorted((a, b) => a.line - b.line || a.column - b.column);
}
