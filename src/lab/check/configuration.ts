import type { Measure } from "../scenario/types.ts";
import type { World } from "../scenario/world.ts";
import { finding, type Finding } from "./outcome.ts";
import type { CheckSubject } from "./subject.ts";

type ConfigurationMeasure = Extract<Measure, { kind: "configuration" }>;
type Problem = World["problems"][number];
type Wanted = ConfigurationMeasure["problems"][number];

/** Normalizes a path: `a.b[0]` and `a.b.0` are the same. */
const toDots = (path: string): string => path.replaceAll(/\[(\d+)\]/g, ".$1");

const matchesProblem = (wanted: Wanted, problem: Problem): boolean =>
  wanted.code === problem.code &&
  (wanted.path === null || toDots(wanted.path) === problem.path.join("."));

export function checkConfiguration(
  measure: ConfigurationMeasure,
  { variant }: CheckSubject,
): Finding {
  const severity = measure.level === "errors" ? "error" : "warning";
  const problems = variant.world.problems.filter((problem) => problem.severity === severity);
  const formatList = (items: readonly string[]): string =>
    items.length === 0 ? `no ${measure.level}` : items.join(", ");
  const observed = formatList(problems.map(({ code, path }) => `${code} at ${path.join(".")}`));
  const expected = `${measure.op === "contains" ? "among them " : ""}${formatList(measure.problems.map(({ code, path }) => (path === null ? code : `${code} at ${path}`)))}`;

  const unmatched = [...problems];
  const missing = measure.problems.filter((wanted) => {
    const index = unmatched.findIndex((problem) => matchesProblem(wanted, problem));
    if (index >= 0) unmatched.splice(index, 1);
    return index < 0;
  });
  // `contains` with an empty list is always true, so it is vacuous. `equals` with an empty list can fail.
  if (measure.op === "contains" && measure.problems.length === 0)
    return finding("vacuous", observed, expected, 0);
  const holds = missing.length === 0 && (measure.op === "contains" || unmatched.length === 0);
  return finding(holds ? "pass" : "fail", observed, expected, Math.max(1, problems.length));
}
