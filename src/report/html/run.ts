// A run of scenarios, as its part of a page.
import type { Report, ScenarioReport } from "../model.ts";
import type { NamedFigure } from "./figure.ts";
import { matrixHtml, matrixOf } from "./matrix.ts";
import { inOrder, isBad, overviewHtml } from "./overview.ts";
import type { PagePart } from "./page.ts";
import { figuresOf, sectionHtml, shownFirst } from "./scenario.ts";
import { topHtml } from "./top.ts";

export function runPart(report: Report): PagePart {
  const { scenarios, footer } = report;
  return {
    title: `${footer.passed} passed, ${footer.failed} failed`,
    figures: {}, // they are found in the report
    drawnFirst: scenarios.flatMap(failing),
    html: (drawings) => `${topHtml(report, "")}
${matrixHtml(matrixOf(report))}
<section class="run" aria-labelledby="scenarios"><h2 id="scenarios">Scenarios</h2>
${overviewHtml(report)}
<div class="scenarios">
${inOrder(scenarios)
  .map(({ scenario, index }) => sectionHtml(scenario, index, drawings))
  .join("\n")}
</div></section>`,
  };
}

/** What failed can be seen where no script runs. */
function failing(scenario: ScenarioReport, index: number): readonly NamedFigure[] {
  const variant = shownFirst(scenario);
  return isBad(scenario) ? figuresOf(scenario, { scenario: index, variant }) : [];
}
