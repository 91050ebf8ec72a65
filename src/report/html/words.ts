// World and traffic in words.
import type { WordsReport } from "../model.ts";
import { escaped } from "./escaped.ts";

/** `of`: "World" of all variants, or what one has of its own. */
export function wordsHtml({ world, traffic }: WordsReport, summary: string): string {
  const parts = [...listOf("World", world), ...listOf("Traffic", traffic)];
  return parts.length === 0
    ? ""
    : `<details class="words"><summary>${escaped(summary)}</summary>${parts.join("")}</details>`;
}

const listOf = (name: string, lines: readonly string[]): readonly string[] =>
  lines.length === 0
    ? []
    : [`<h4>${name}</h4><ul>${lines.map((line) => `<li>${escaped(line)}</li>`).join("")}</ul>`];
