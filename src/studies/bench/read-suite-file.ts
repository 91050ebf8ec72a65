// The common part of all readers of suites. A suite is read like a scenario, and every problem has its position.
import { Failure } from "../../kit/reading/failure.ts";
import { report, type Problem } from "../../kit/reading/problems.ts";
import type { Json } from "../../kit/reading/shape.ts";
import { formatProblem, readSource, type PositionedProblem } from "../../kit/reading/source.ts";

/** `example` names a suite of Weir whose file shows the fields. */
export function readSuiteFile<T>(
  file: string,
  written: string,
  example: string,
  decode: (value: Json, problems: Problem[]) => T | undefined,
): T | Failure {
  const source = readSource(file, written, {
    one: "suite",
    many: "suites",
    whenEmpty: `bench/${example}.yaml of Weir has all fields of a suite`,
    insteadOfAlias: "write the value out",
  });
  const problems: Problem[] = [];
  const suite = source.value === undefined ? undefined : decode(source.value, problems);
  const all: readonly PositionedProblem[] = [...source.problems, ...problems.map(source.place)];
  if (suite !== undefined && all.length === 0) return suite;
  const inOrder = all.toSorted((a, b) => a.line - b.line || a.column - b.column);
  return new Failure(
    ...inOrder.map((each) =>
      formatProblem({ ...each, code: each.code.replace(/^SCN-/, "BENCH-") }),
    ),
  );
}

export function checkId(id: string, file: string, problems: Problem[]): void {
  const name = file
    .replaceAll("\\", "/")
    .split("/")
    .at(-1)!
    .replace(/\.ya?ml$/, "");
  if (id !== name)
    report(problems, "SCN-VALUE", ["id"], `"${id}" is not the name of the file`, `write ${name}`);
}

/** The field `kind` of a suite: `parts`, `truth`, or null for a suite of served gateways. */
export const kindOf = (written: string): string | null =>
  /^kind: *(\w+)\s*$/m.exec(written)?.[1] ?? null;
