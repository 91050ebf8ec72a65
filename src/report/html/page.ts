// The page of a report: everything that can be read without a script is in it as text; the rest is data, drawn by the
// page's own script when somebody looks.
import type { Report, ScenarioReport } from "../model.ts";
import { escaped } from "./escaped.ts";
import { anchorOf, badge, many, table } from "./parts.ts";
import { sectionHtml, type Drawings } from "./scenario.ts";

export interface Embedded {
  readonly policy: string; // of the page's contents
  readonly style: string;
  readonly script: string;
  readonly data: string; // the report, packed
  readonly templates: string; // JSON
}

export function pageOf(report: Report, drawings: Drawings, embedded: Embedded): string {
  const { scenarios, footer } = report;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${embedded.policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="icon" href="data:,">
<title>Weir: ${footer.passed} passed, ${footer.failed} failed</title>
<style>${embedded.style}</style>
</head>
<body>
${top(report)}
${overview(scenarios)}
<main>
${scenarios.map((scenario, index) => sectionHtml(scenario, index, drawings)).join("\n")}
</main>
<footer class="soft"><p>End of the report: ${many(footer.scenarios, "scenario")}.</p></footer>
<script type="application/octet-stream" id="report">${embedded.data}</script>
<script type="application/json" id="templates">${embedded.templates}</script>
<script type="module">${embedded.script}</script>
</body>
</html>
`;
}

function top({ seed, argv, commit, isComplete, startedAt, footer }: Report): string {
  const command = ["weir", ...argv].join(" ");
  return `<header>
<h1>What was run, and what holds</h1>
<p>${many(footer.scenarios, "scenario")} in ${many(footer.variants, "variant")}:
${footer.passed} passed, ${footer.failed} failed, ${footer.skipped} skipped.${isComplete ? "" : " <strong>It was stopped before its end.</strong>"}</p>
<p class="soft">Seed ${seed}${commit === null ? "" : `, commit <code>${escaped(commit.slice(0, 10))}</code>`}, ${escaped(startedAt)}; <code>${escaped(command)}</code></p>
<noscript><p>Most charts are drawn by the script of this page, which does not run here. All verdicts of the variants shown are text.</p></noscript>
</header>`;
}

function overview(scenarios: readonly ScenarioReport[]): string {
  const isBad = ({ outcome }: ScenarioReport): boolean =>
    outcome !== "pass" && outcome !== "unsupported";
  const rows = [...scenarios.filter(isBad), ...scenarios.filter((one) => !isBad(one))].map(
    ({ id, title, outcome, variants }) => [
      badge(outcome),
      `<a href="#${anchorOf(id)}"><code>${escaped(id)}</code></a>`,
      escaped(title),
      String(variants.length),
    ],
  );
  const all = table(["outcome", "scenario", "what it shows", "variants"], rows);
  return `<details${scenarios.some(isBad) ? " open" : ""}><summary>All scenarios</summary>${all}</details>`;
}
