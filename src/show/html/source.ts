// The file of a scenario at the time of the run. Lines are marked if their expectations do not hold.
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
