// The file of a scenario as it was played, with the lines marked whose expectations do not hold.
import type { ScenarioReport } from "../model.ts";
import { escaped } from "./escaped.ts";

export function sourceHtml({ source, variants, file }: ScenarioReport): string {
  const bad = new Set(
    variants.flatMap(({ verdicts }) =>
      verdicts.flatMap(({ outcome, line }) => (outcome === "pass" ? [] : [line])),
    ),
  );
  const lines = source.replace(/\n$/, "").split("\n");
  return `<ol class="source" tabindex="0" aria-label="${escaped(file)}">${lines
    .map((text, index) =>
      bad.has(index + 1)
        ? `<li class="marked"><code>${escaped(text)}</code><span class="fail">does not hold</span></li>`
        : `<li><code>${escaped(text)}</code></li>`,
    )
    .join("")}</ol>`;
}
