// Reads the file of a suite that measures parts: returns a PartSuite, or every problem with its position.
import type { Failure } from "../../../kit/reading/failure.ts";
import { report, type Path, type Problem } from "../../../kit/reading/problems.ts";
import { record } from "../../../kit/reading/record.ts";
import {
  listOf,
  mapOf,
  anyMap,
  numberFrom,
  oneOf,
  optional,
  orNull,
  reportName,
  mandatory,
  text,
  wholeNumber,
  type Json,
  type JsonMap,
  type Values,
} from "../../../kit/reading/shape.ts";
import { checkId, readSuiteFile } from "../read-suite-file.ts";
import type { BenchTarget, Gate } from "../suite.ts";
import type { PartCandidate, PartCase, PartProgram, PartSuite } from "./part-suite.ts";

const input = optional(anyMap, {}, "The input of the program.");
const program = mandatory(text, "The program, from the folder of the suite.");
const candidates = mapOf(orNull(anyMap));

const caseFields = {
  about: mandatory(text, "The measured quantity, for people."),
  unit: mandatory(text, "The unit of the value."),
  better: mandatory(oneOf(["less", "more"]), "Whether less or more is better."),
  program,
  input,
  by: optional(text, "subject", "The field of the input that has the name of the candidate."),
  candidates: mandatory(candidates, "Candidates by name, with the rest of their input."),
  controls: optional(candidates, {}, "The same for controls without Weir."),
  control: mandatory(text, "The candidate or control that the others are divided by."),
  targets: optional(
    listOf(
      record("a target", {
        cell: mandatory(text, "A candidate."),
        value: optional(numberFrom(0), null, "The largest value; if more is better, the smallest."),
        against: optional(listOf(text, 1), null, "The best of these candidates."),
        times: optional(numberFrom(0.001), null, "How many times as good as `against`."),
      }),
    ),
    [],
    "Targets, printed with the result. A missed target fails nothing.",
  ),
};

const suiteFields = {
  id: mandatory(text, "The name of the file, without .yaml."),
  kind: mandatory(oneOf(["parts"]), "Distinguishes it from a suite of served gateways."),
  title: mandatory(text, "What it measures, in one line."),
  about: mandatory(text, "What it measures, in a paragraph."),
  prepare: optional(record("a preparation", { program, input }), null, "Runs once, at the start."),
  repeats: mandatory(wholeNumber(1, 1_000), "How often each candidate is measured."),
  cases: mandatory(mapOf(record("a case", caseFields)), "Cases by name."),
  quick: optional(
    record("a short run", {
      cases: optional(listOf(text, 1), null, "The cases to run; all if unset."),
      input: optional(anyMap, {}, "Replaces the same fields of every input."),
    }),
    null,
    "What --quick runs.",
  ),
  gates: optional(
    listOf(
      record("a gate", {
        cell: mandatory(text, "A candidate."),
        metric: mandatory(text, "A case."),
      }),
    ),
    [],
    "The metrics that can fail a comparison.",
  ),
};

export const partSuiteShape = record("a suite of parts", suiteFields);

type Written = Values<typeof suiteFields>;
type WrittenCase = Values<typeof caseFields>;

/** A short run has at most this many repeats. */
const QUICK_REPEATS = 3;

interface PartReading {
  readonly isQuick: boolean;
  /** Whether a program exists, by its path from the folder of the suite. */
  readonly hasProgram: (program: string) => boolean;
}

export const readPartSuite = (
  file: string,
  written: string,
  { isQuick, hasProgram }: PartReading,
): PartSuite | Failure =>
  readSuiteFile(file, written, "core", (value: Json, problems) => {
    const read = partSuiteShape.read(value, [], problems);
    if (read === undefined) return undefined;
    checkId(read.id, file, problems);
    checkPrograms(read, hasProgram, problems);
    for (const [name, one] of Object.entries(read.cases)) checkCase(name, one, problems);
    checkRoles(read, problems);
    checkNames(read, problems);
    return problems.length === 0 ? suiteOf(read, isQuick) : undefined;
  });

function checkPrograms(
  { prepare, cases }: Written,
  hasProgram: PartReading["hasProgram"],
  problems: Problem[],
): void {
  const all: readonly (readonly [PartProgram, Path])[] = [
    ...(prepare === null ? [] : [[prepare, ["prepare", "program"]] as const]),
    ...Object.entries(cases).map(([name, one]) => [one, ["cases", name, "program"]] as const),
  ];
  for (const [{ program: path }, at] of all)
    if (!hasProgram(path))
      report(
        problems,
        "SCN-VALUE",
        at,
        `there is no program ${path} in the folder of this suite`,
        "suites of parts need the sources of Weir: run them in a checkout",
      );
}

function checkCase(name: string, one: WrittenCase, problems: Problem[]): void {
  const names = [...Object.keys(one.candidates), ...Object.keys(one.controls)];
  const check = (cell: string, ...at: Path): void => {
    if (!names.includes(cell))
      reportName(
        problems,
        "SCN-NAME",
        ["cases", name, ...at],
        `no candidate of ${name} is called "${cell}"`,
        cell,
        names,
      );
  };
  check(one.control, "control");
  for (const [index, target] of one.targets.entries()) {
    check(target.cell, "targets", index, "cell");
    for (const [at, cell] of (target.against ?? []).entries())
      check(cell, "targets", index, "against", at);
    if (targetOf(target) === null)
      report(
        problems,
        "SCN-VALUE",
        ["cases", name, "targets", index],
        "this target is neither a value nor a number of times",
        "write value: 100, or against: [CANDIDATE] and times: 2",
      );
  }
}

/** A result has one cell for each candidate name, so a name has the same role in all cases. */
function checkRoles({ cases }: Written, problems: Problem[]): void {
  const own = new Set(Object.values(cases).flatMap((one) => Object.keys(one.candidates)));
  for (const [name, { controls }] of Object.entries(cases))
    for (const control of Object.keys(controls))
      if (own.has(control))
        report(
          problems,
          "SCN-DUPLICATE-NAME",
          ["cases", name, "controls", control],
          `"${control}" is a candidate too`,
          "give one of them another name",
        );
}

function checkNames({ cases, quick, gates }: Written, problems: Problem[]): void {
  const names = Object.keys(cases);
  const check = (metric: string, at: Path): void => {
    if (!names.includes(metric))
      reportName(problems, "SCN-NAME", at, `there is no case "${metric}"`, metric, names);
  };
  quick?.cases?.forEach((metric, index) => check(metric, ["quick", "cases", index]));
  for (const [index, { cell, metric }] of gates.entries()) {
    check(metric, ["gates", index, "metric"]);
    const cells = Object.keys(cases[metric]?.candidates ?? {});
    if (names.includes(metric) && !cells.includes(cell))
      reportName(
        problems,
        "SCN-NAME",
        ["gates", index, "cell"],
        `no candidate of ${metric} is called "${cell}"`,
        cell,
        cells,
      );
  }
}

const targetOf = ({
  cell,
  value,
  against,
  times,
}: WrittenCase["targets"][number]): BenchTarget | null => {
  if (value !== null) return against === null && times === null ? { cell, value } : null;
  return against === null || times === null ? null : { cell, against, times };
};

function suiteOf({ id, title, about, prepare, ...written }: Written, isQuick: boolean): PartSuite {
  const { cases, quick, gates, repeats } = written;
  const short: JsonMap = isQuick ? (quick?.input ?? {}) : {};
  const names = isQuick ? (quick?.cases ?? Object.keys(cases)) : Object.keys(cases);
  return {
    id,
    title,
    about,
    prepare: prepare && { ...prepare, input: { ...prepare.input, ...short } },
    repeats: isQuick ? Math.min(repeats, QUICK_REPEATS) : repeats,
    cases: names.map((name) => caseOf(name, cases[name]!, short)),
    gates: gates.filter(({ metric }: Gate) => names.includes(metric)),
  };
}

function caseOf(name: string, one: WrittenCase, short: JsonMap): PartCase {
  const { about, unit, better, control, by, program: path } = one;
  const all = (
    role: PartCandidate["role"],
    named: WrittenCase["candidates"],
  ): readonly PartCandidate[] =>
    Object.entries(named).map(([candidate, own]) => ({
      name: candidate,
      role,
      program: path,
      input: { ...one.input, [by]: candidate, ...own, ...short },
    }));
  return {
    name,
    about,
    unit,
    better,
    control,
    candidates: [...all("cell", one.candidates), ...all("control", one.controls)],
    targets: one.targets.flatMap((target) => targetOf(target) ?? []),
  };
}
