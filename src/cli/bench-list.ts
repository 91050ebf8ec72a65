// `weir bench --list`: lists the suites, their cells, and how long they take.
import { MOST_CELLS } from "../studies/bench/cells.ts";
import { timeText } from "../studies/bench/progress-line.ts";
import { planOf, type BenchSelection } from "../studies/bench/plan.ts";
import type { PartSuite } from "../studies/bench/parts/part-suite.ts";
import type { TruthSuite } from "../studies/bench/read-truth.ts";
import type { Suite } from "../studies/bench/suite.ts";
import { truthSubjects } from "../studies/bench/truth.ts";
import { SECOND } from "../kit/units.ts";
import { isFailure } from "../kit/reading/failure.ts";
import { many } from "../kit/reading/legible.ts";
import type { Terminal } from "./terminal.ts";

/** Prints a suite and its cells. Returns error messages if the suite has no plan, otherwise an empty list. */
export function printSuite(
  suite: Suite,
  wanted: BenchSelection,
  { out, paint }: Terminal,
): readonly string[] {
  const plan = planOf(suite, wanted);
  if (isFailure(plan)) return [`weir bench: ${plan.message}`];
  const { subjects, seconds } = plan;
  const of = (role: "cell" | "control"): readonly string[] =>
    subjects.filter((subject) => subject.role === role).map(({ name }) => name);
  const [cells, controls] = [of("cell"), of("control")];
  const counts = `${many(cells.length, "cell")}, ${many(controls.length, "control")}, ${many(plan.suite.repeats, "repeat")}`;
  out(`${paint("strong", suite.id)}  ${suite.title} (${counts}: about ${timeText(seconds)})`);
  for (const name of cells.slice(0, MOST_CELLS)) out(`  ${name}`);
  if (cells.length > MOST_CELLS) out(`  and ${cells.length - MOST_CELLS} more`);
  for (const name of controls) out(`  (${name})`);
  return [];
}

/** Prints each case and its candidates; controls are in brackets. */
export function listParts(suite: PartSuite, { out, paint }: Terminal): readonly string[] {
  const { id, title, cases, repeats } = suite;
  out(
    `${paint("strong", id)}  ${title} (${many(cases.length, "case")}, ${many(repeats, "repeat")})`,
  );
  for (const { name, about, candidates } of cases) {
    const names = candidates.map((one) => (one.role === "cell" ? one.name : `(${one.name})`));
    out(`  ${name}: ${about}`);
    out(`    ${names.join("; ")}`);
  }
  return [];
}

export function printTruthSuite(suite: TruthSuite, { out, paint }: Terminal): readonly string[] {
  const subjects = truthSubjects(suite);
  const takes = timeText(suite.lastsUs / SECOND);
  out(
    `${paint("strong", suite.id)}  ${suite.title} (${many(subjects.length, "gateway")} at once: ${takes} and their start)`,
  );
  for (const { name, role } of subjects) out(role === "cell" ? `  ${name}` : `  (${name})`);
  return [];
}
