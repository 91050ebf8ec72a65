// A run of scenarios, as its part of a page.
import type { Report, ScenarioReport } from "../model.ts";
import { escaped } from "./escaped.ts";
import type { NamedFigure } from "./figure.ts";
import type { PagePart } from "./page.ts";
import { anchorOf, badge, many, table } from "./parts.ts";
import { figuresOf, sectionHtml, shownFirst } from "./scenario.ts";

export function runPart(report: Report): PagePart {
  const { scenarios, footer } = report;
  return {
    title: `${footer.passed} passed, ${footer.failed} failed`,
    figures: {}, // they are found in the report
    drawnFirst: scenarios.flatMap(failing),
    html: (drawings) => `${top(report)}
${overview(scenarios)}
${scenarios.map((scenario, index) => sectionHtml(scenario, index, drawings)).join("\n")}`,
  };
}

const isBad = ({ outcome }: Pick<ScenarioReport, "outcome">): boolean =>
  outcome !== "pass" && outcome !== "unsupported";

/** What failed can be seen where no script runs. */
function failing(scenario: ScenarioReport, index: number): readonly NamedFigure[] {
  const variant = shownFirst(scenario);
  return isBad(scenario) ? figuresOf(scenario, { scenario: index, variant }) : [];
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
