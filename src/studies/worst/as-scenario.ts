// A pattern as the text of a scenario file that passes when it runs.
import { formatDuration } from "../../kit/units.ts";
import { linesOf, type ArrivalPattern } from "./pattern.ts";
import type { WorstCaseQuestion } from "./question.ts";
import { worldLines } from "./world.ts";

interface WorstCaseParts {
  readonly pattern: ArrivalPattern;
  readonly clients: readonly string[];
  readonly most: number;
  readonly about: readonly string[]; // lines
}

export function formatScenario(
  question: WorstCaseQuestion,
  { pattern, clients, most, about }: WorstCaseParts,
): string {
  const per = formatDuration(question.perUs);
  return [
    `id: ${question.id}`,
    `title: ${question.algorithm} admits ${most} in ${per} where the limit is ${question.rate}`,
    "about: >",
    ...about.map((line) => `  ${line}`),
    "proves: [LIM-C11]",
    ...worldLines(question, clients),
    "traffic:",
    ...linesOf(pattern, clients),
    "expect:",
    `  - { id: the most in any window, maxInAnyWindow: { window: ${per} }, equals: ${most} }`,
    "",
  ].join("\n");
}
