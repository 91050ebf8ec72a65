// A run of scenarios as part of a page.
import type { Report, ScenarioReport } from "../../lab/report/model.ts";
import { figureHtml, type Drawings, type NamedFigure } from "./figure.ts";
import { html, join, type Html } from "./html.ts";
import { matrixHtml, matrixOf, type Matrix } from "./matrix.ts";
import { inOrder, isBad, overviewHtml, worstVariant } from "./overview.ts";
import { formatCount } from "./parts.ts";
import type { PagePart } from "./page.ts";
import { figuresOf, sectionHtml } from "./scenario.ts";
import { summaryFigure } from "./summary.ts";
import { topHtml } from "./top.ts";

export function runPart(report: Report): PagePart {
  const { scenarios } = report;
  const figure = summaryFigure(report);
  const summary: readonly NamedFigure[] = figure === null ? [] : [{ name: "run.summary", figure }];
  return {
    title: titleOf(report),
    // Only the summary: `figureNamed` finds the figures of variants in the report.
    figures: Object.fromEntries(summary.map((named) => [named.name, named.figure])),
    // Without failures no chart is needed before the script runs, and drawing takes time.
    drawnFirst: scenarios.some(isBad) ? [...summary, ...scenarios.flatMap(failing)] : [],
    html: (drawings) => {
      const top = topHtml(
        report,
        summary.map((named) => figureHtml(named, drawings)),
      );
      return scenarios.length === 0 ? top : html`${top}\n${resultsHtml(report, drawings)}`;
    },
  };
}

const resultsHtml = (report: Report, drawings: Drawings): Html => {
  const matrix = matrixOf(report);
  return html`${tabsHtml(report, matrix)}
<section class="run${report.scenarios.length === 1 && " alone"}" aria-labelledby="scenarios"><h2 class="sr" id="scenarios">Scenarios</h2>
${overviewHtml(report)}
<div class="scenarios">
${join(
  inOrder(report.scenarios).map(({ scenario, index }) =>
    sectionHtml(scenario, index, drawings, {
      hasTable: report.scenarios.length <= MOST_WITH_TABLES,
      isAlone: report.scenarios.length === 1,
      sentences: report.scenarios.length === 1 ? 0 : 1,
      isClosed: report.scenarios.length > MOST_OPEN && !isBad(scenario),
    }),
  ),
  "\n",
)}
</div></section>
${matrixHtml(matrix)}`;
};

/** Pages with more scenarios than this omit the tables of variants, which would be most of the page. */
const MOST_WITH_TABLES = 3;

/** Pages with more scenarios have only the beginning of those that pass; the script adds the rest when it is opened. */
const MOST_OPEN = 30;

/** The script shows one of the two tabs; without the script, they follow each other. */
function tabsHtml({ scenarios }: Report, { areas }: Matrix): Html {
  const tested = areas.reduce((sum, { rows }) => sum + rows.length, 0);
  return html`<nav class="tabs" aria-label="Results"><a href="#scenarios">Scenarios <span class="soft">${formatCount(scenarios.length)}</span></a> <a href="#requirements">Requirements <span class="soft">${formatCount(tested)}</span></a></nav>`;
}

/** Charts of failed scenarios, which are visible even without a script. */
function failing(scenario: ScenarioReport, index: number): readonly NamedFigure[] {
  const variant = worstVariant(scenario);
  return isBad(scenario) ? figuresOf(scenario, { scenario: index, variant }) : [];
}

/** The title in a browser tab, which may be all that a reader sees. */
function titleOf({ footer: { variants, passed, failed }, faults }: Report): string {
  const counts = variants === 0 ? "nothing ran" : `${passed} passed, ${failed} failed`;
  return `${faults.length > 0 ? "run failed, " : ""}${counts}`;
}
