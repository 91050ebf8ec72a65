// What was found, as a scenario file that runs and passes by its own assertion.
import { formatDuration } from "../../core/units.ts";
import { linesOf, type Pattern } from "./pattern.ts";
import type { Question } from "./question.ts";
import { worldLines } from "./world.ts";

export interface Shown {
  readonly pattern: Pattern;
  readonly clients: readonly string[];
  readonly most: number;
  readonly about: readonly string[]; // lines
}

export function asScenario(question: Question, { pattern, clients, most, about }: Shown): string {
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
