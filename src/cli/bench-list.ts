// `weir bench --list`: which suites there are, what cells they have, and how long they take.
import { MOST_CELLS } from "../bench/cells.ts";
import { timeText } from "../bench/live.ts";
import { planOf, type Wanted } from "../bench/plan.ts";
import type { Suite } from "../bench/suite.ts";
import { many } from "./run-text.ts";
import type { Terminal } from "./terminal.ts";

/** Sentences say why nothing can be made of it. */
export function tellSuite(
  suite: Suite,
  wanted: Wanted,
  { out, paint }: Terminal,
): readonly string[] {
  const plan = planOf(suite, wanted);
  if (typeof plan === "string") return [plan];
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
