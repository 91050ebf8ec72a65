// A scenario file as text to a scenario, or to everything that is wrong with the file, at once and in
// the order of its lines. Whatever the text is, the answer is a value.
import { nearest, type Path, type Problem } from "../../reading/problems.ts";
import { chartList } from "./charts.ts";
import type { ScenarioCode } from "./codes.ts";
import { CAPABILITIES, needsOf } from "./needs.ts";
import { requirementIds } from "./proves.ts";
import { record } from "../../reading/record.ts";
import {
  anything,
  isMembers,
  listOf,
  matching,
  oneOf,
  optional,
  required,
  text,
  type Fields,
  type Members,
} from "../../reading/shape.ts";
import { readSource, type PositionedProblem, type FileKind } from "../../reading/source.ts";
import { NOTHING_BESIDE, type Beside } from "./trace.ts";
import type { Scenario } from "../types.ts";
import { readVariants } from "./variants.ts";

export const SCENARIO_FILE: FileKind = {
  one: "scenario",
  many: "scenarios",
  whenEmpty: "weir new FOLDER/NAME creates a first scenario",
  insteadOfAlias: "write the value out, or vary it with the matrix",
};

export interface Decoded {
  /** Null where the file has any fault. */
  readonly scenario: Scenario | null;
  /** Faults, and what the configuration check warns of. */
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
    "The name of the scenario in results. Left out: the path of the file, without `scenarios/` before it and the ending behind it. Random latencies, balancing and retries depend on it: a file that may move keeps its results by an id of its own.",
  ),
  title: required(text, "What the scenario shows, as half a sentence."),
  about: optional(text, "", "Why it is built as it is."),
  proves: optional(
    requirementIds,
    [],
    "The requirements of the specification that it is about. Only Weir's own suite has to name them.",
  ),
  needs: optional(
    listOf(oneOf(CAPABILITIES)),
    [],
    "What a driver has to offer. What the file itself shows need not be said.",
  ),
  matrix: optional(
    anything,
    null,
    "Axes, each with its values. Every combination is a variant; `$axis` stands for the value.",
  ),
  world: required(anything, "What is configured, and what lies around the gateways."),
  traffic: optional(anything, [], "Who sends what, and when."),
  faults: optional(anything, [], "What goes wrong."),
  expect: required(anything, "What has to hold."),
  charts: optional(chartList, [], "What the report draws."),
} as const satisfies Fields;

const scenarioShape = record("a scenario", SCENARIO_FIELDS);

/** `beside` reads files beside this one: traces may stand there. */
export function decode(file: string, content: string, beside: Beside = NOTHING_BESIDE): Decoded {
  const source = readSource(file, content, SCENARIO_FILE);
  if (source.value === undefined) return { scenario: null, problems: sorted(source.problems) };
  const problems: Problem[] = [];
  const top = scenarioShape.read(source.value, [], problems);
  const { parts, writtenPath } = asMeant(isMembers(source.value) ? source.value : {});
  const found: Problem[] = [];
  const lineOf = (path: Path): number => source.lineOf(writtenPath(path));
  const variants = readVariants(parts, top?.proves ?? [], lineOf, beside, found);
  problems.push(...found.map((each) => ({ ...each, path: writtenPath(each.path) })));
  const told = problems.filter((problem) => !isConsequence(problem, problems));
  const placed = sorted([...source.problems, ...told.map((problem) => source.place(problem))]);
  if (top === undefined || placed.some(({ severity }) => severity === "error"))
    return { scenario: null, problems: placed };
  const { id, title, about, proves, charts } = top;
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
    },
    problems: placed,
  };
}

/**
 * A part under a misspelt name is read as the part that was meant. Its name is an error of its own, and nothing has to be
 * reported of what seems to be missing without it.
 */
function asMeant(written: Members): {
  readonly parts: Members;
  readonly writtenPath: (path: Path) => Path;
} {
  const known = Object.keys(SCENARIO_FIELDS);
  const misspelt = new Map<string, string>();
  for (const name of Object.keys(written)) {
    const meant = known.includes(name) ? null : nearest(name, known);
    if (meant !== null && !Object.hasOwn(written, meant)) misspelt.set(meant, name);
  }
  const more = [...misspelt].map(([meant, name]) => [meant, written[name] ?? null] as const);
  return {
    parts: { ...written, ...Object.fromEntries(more) },
    writtenPath: ([first, ...rest]) =>
      first === undefined ? [] : [misspelt.get(String(first)) ?? first, ...rest],
  };
}

/** `per` is left alone where the rate beside it was not read. */
const isConsequence = ({ code, path }: Problem, problems: readonly Problem[]): boolean =>
  code === "CFG-PER-WITHOUT-RATE" &&
  problems.some(
    (other) =>
      (other.code === "SCN-VARIABLE" || other.code === "CFG-UNKNOWN-FIELD") &&
      other.path.length === path.length &&
      path.slice(0, -1).every((step, index) => other.path[index] === step) &&
      nearest(String(other.path.at(-1)), ["rate"]) !== null,
  );

/** The path of the file as the command names it; what leads to another folder, or to the root, is no part of a name. */
function idOf(file: string): string {
  const names = file
    .replaceAll("\\", "/")
    .split("/")
    .filter((name) => name !== "" && name !== "." && name !== ".." && !name.endsWith(":"));
  const below = names.length > 1 && names[0] === "scenarios" ? names.slice(1) : names;
  return below.join("/").replace(/\.ya?ml$/, "");
}

/**
 * What stands at the place of one of these was not read as it was meant, so everything else that is
 * said of that place is only its consequence.
 */
const ENOUGH_SAID: ReadonlySet<string> = new Set<ScenarioCode>([
  "SCN-YAML",
  "SCN-YAML-FEATURE",
  "SCN-VARIABLE",
]);

/** In the order of the file, each problem once however many cells have it. */
function sorted(problems: readonly PositionedProblem[]): readonly PositionedProblem[] {
  const placeOf = ({ line, column }: PositionedProblem): string => `${line}:${column}`;
  const firstOfPlace = new Map(
    problems
      .filter(({ code }) => ENOUGH_SAID.has(code))
      .toReversed()
      .map((problem) => [placeOf(problem), problem]),
  );
  const told = problems.filter(
    (problem) => (firstOfPlace.get(placeOf(problem)) ?? problem) === problem,
  );
  const once = new Map(
    told.map((problem) => [`${placeOf(problem)} ${problem.code} ${problem.message}`, problem]),
  );
  return [...once.values()].toSorted((a, b) => a.line - b.line || a.column - b.column);
}
