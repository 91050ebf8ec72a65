// The scenario file as it was during the run. Lines whose expectations do not hold are marked.
import type { ScenarioReport } from "../../lab/report/model.ts";
import { html, type Html } from "./html.ts";

export function sourceHtml({ source, variants, file }: ScenarioReport): Html {
  const bad = new Set(
    variants.flatMap(({ verdicts }) =>
      verdicts.flatMap(({ outcome, line }) => (outcome === "pass" ? [] : [line])),
    ),
  );
  const lines = source.replace(/\n$/, "").split("\n");
  return html`<ol class="source" tabindex="0" aria-label="${file}">${lines.map((text, index) =>
    bad.has(index + 1)
      ? html`<li class="marked"><code>${text}</code><span class="fail">does not hold</span></li>`
      : html`<li><code>${text}</code></li>`,
  )}</ol>`;
}
