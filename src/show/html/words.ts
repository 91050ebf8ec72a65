// World and traffic of a scenario in words.
import type { WordsReport } from "../../lab/report/model.ts";
import { html, NOTHING, type Html } from "./html.ts";

/** `summary` is the heading. It shows whether the words apply to all variants or to one. */
export function wordsHtml({ world, traffic }: WordsReport, summary: string): Html {
  const parts = [...listOf("World", world), ...listOf("Traffic", traffic)];
  return parts.length === 0
    ? NOTHING
    : html`<details class="words"><summary>${summary}</summary>${parts}</details>`;
}

const listOf = (name: string, lines: readonly string[]): readonly Html[] =>
  lines.length === 0
    ? []
    : [html`<h4>${name}</h4><ul>${lines.map((line) => html`<li>${line}</li>`)}</ul>`];

/** What a limit counts, by its scope. */
export const SCOPES: Readonly<Record<string, string>> = {
  api: "limit of an API",
  "api-endpoint": "limit of an endpoint of an API",
  key: "limit of a key",
  "key-api": "limit of a key for an API",
  "key-endpoint": "limit of a key for an endpoint",
  quota: "quota",
  "quota-api": "quota for an API",
};
