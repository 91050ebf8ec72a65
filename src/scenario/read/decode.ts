// A scenario file as text to a scenario, or to everything that is wrong with the file, at once and in
// the order of its lines. Whatever the text is, the answer is a value.
import type { Problem } from "../../core/problems.ts";
import { chartList } from "./charts.ts";
import type { ScenarioCode } from "./codes.ts";
import { CAPABILITIES, needsOf } from "./needs.ts";
import { requirementIds } from "./proves.ts";
import { record } from "./record.ts";
import {
  anything,
  isMembers,
  listOf,
  matching,
  oneOf,
  optional,
  required,
  scn,
  text,
  type Fields,
  type Members,
} from "./shape.ts";
import { readSource, type Source, type PositionedProblem } from "./source.ts";
import { NOTHING_BESIDE, type Beside } from "./trace.ts";
import type { Scenario } from "../types.ts";
import { readVariants } from "./variants.ts";

export interface Decoded {
  /** Null where the file has any fault. */
  readonly scenario: Scenario | null;
  /** Faults, and what the configuration check warns of. */
  readonly problems: readonly PositionedProblem[];
}

export const SCENARIO_FIELDS = {
  id: required(
    matching("an id", /^[a-z0-9-]+\/[a-z0-9-]+$/, "folder/name of the file, in small letters"),
    "Folder and name of the file.",
  ),
  title: required(text, "What the scenario shows, as half a sentence."),
  about: optional(text, "", "Why it is built as it is."),
  proves: required(requirementIds, "The requirements it is about."),
  kills: optional(
    listOf(matching("the name of a mutant", /^[a-z0-9-]+\/[a-z0-9-]+$/)),
    [],
    "The known-bad limiters that it tells from a good one.",
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
  return decodeSource(file, readSource(file, content), beside);
}

/** The same where the text has been read already: whoever decodes a file again and again reads it once. */
export function decodeSource(file: string, source: Source, beside: Beside): Decoded {
  if (source.value === undefined) return { scenario: null, problems: sorted(source.problems) };
  const problems: Problem[] = [];
  const top = scenarioShape.read(source.value, [], problems);
  const written = isMembers(source.value) ? source.value : {};
  checkId(file, written, problems);
  const variants = readVariants(written, top?.proves ?? [], source.lineOf, beside, problems);
  const placed = sorted([...source.problems, ...problems.map((problem) => source.place(problem))]);
  if (top === undefined || placed.some(({ severity }) => severity === "fault"))
    return { scenario: null, problems: placed };
  const { id, title, about, proves, kills, charts } = top;
  return {
    scenario: {
      id,
      file,
      title,
      about,
      proves,
      kills,
      needs: needsOf(top.needs, variants),
      variants,
      charts,
    },
    problems: placed,
  };
}

function checkId(file: string, { id }: Members, problems: Problem[]): void {
  const parts = file.replaceAll("\\", "/").split("/").slice(-2);
  const expected = parts.join("/").replace(/\.ya?ml$/, "");
  if (
    typeof id === "string" &&
    id !== expected &&
    !(parts.length === 1 && id.endsWith(`/${expected}`))
  )
    scn(
      problems,
      "SCN-ID",
      ["id"],
      `the id is "${id}", and the file is called "${expected}"`,
      `write id: ${expected}, or rename the file`,
    );
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
