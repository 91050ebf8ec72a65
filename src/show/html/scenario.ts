// One scenario of a report, showing one of its variants at a time.
import type { Figure } from "../figures/drawable-of.ts";
import type { Report, ScenarioReport, VariantReport } from "../../lab/report/model.ts";
import { sentencesApart } from "./algorithms-apart.ts";
import { html, join, type Html } from "./html.ts";
import { figuresHtml, type Drawings, type NamedFigure } from "./figure.ts";
import { mergesHtml } from "./merges.ts";
import { isBad, worstVariant } from "./overview.ts";
import { anchorOf, badge, many } from "./parts.ts";
import { refusalFigure, refusalsClosed } from "./refusals.ts";
import { lossesHtml, rejectionsHtml, totalsHtml, totalsOfAllHtml } from "./totals.ts";
import { sparkHtml, sparkOf } from "./sparkline.ts";
import { variantsHtml } from "./variants.ts";
import { verdictsHtml } from "./verdicts.ts";
import { wordsHtml } from "./words.ts";

/** The position of a figure in its report. */
interface FigureAt {
  readonly scenario: number;
  readonly variant: number;
  readonly figure: number;
}

const figureName = ({ scenario, variant, figure }: FigureAt): string =>
  `${scenario}.${variant}.${figure}`;

export const figuresOf = (
  { variants }: ScenarioReport,
  at: Omit<FigureAt, "figure">,
): readonly NamedFigure[] =>
  (variants[at.variant]?.figures ?? []).map((figure, index) => ({
    name: figureName({ ...at, figure: index }),
    figure,
  }));

const OF_ALL = "all";

/** The figures that compare the variants. */
const figuresOfAll = ({ figures }: ScenarioReport, index: number): readonly NamedFigure[] =>
  figures.map((figure, at) => ({ name: `${index}.${OF_ALL}.${at}`, figure }));

/** Finds the figure of a run by its name. */
export function figureNamed({ scenarios }: Report, name: string): Figure | undefined {
  const [index, variant, figure] = name.split(".");
  const scenario = scenarios[Number(index)];
  if (figure?.startsWith("r") === true) {
    const owner = scenario?.variants[Number(variant)];
    return (owner && refusalFigure(owner, Number(figure.slice(1)))) ?? undefined;
  }
  const of = variant === OF_ALL ? scenario : scenario?.variants[Number(variant)];
  return of?.figures[Number(figure)];
}

interface SectionLook {
  readonly hasTable: boolean;
  readonly isAlone: boolean;
  readonly sentences: number; // about the difference of the variants; the top of a page may have them
  readonly isClosed: boolean; // the script fills it when a reader opens it
}

export function sectionHtml(
  scenario: ScenarioReport,
  index: number,
  drawings: Drawings,
  look: SectionLook = { hasTable: false, isAlone: false, sentences: 1, isClosed: false },
): Html {
  const { title, about, file, proves, outcome, variants } = scenario;
  const anchor = anchorOf(scenario);
  const variant = variants[worstVariant(scenario)];
  // With several scenarios, the list shows the sparklines.
  const spark = look.isAlone && variant !== undefined ? sparkHtml(sparkOf(variant)) : null;
  const ids = proves.map((each) => html`<a href="#r-${each}">${each}</a>`);
  return html`<section class="scenario" id="${anchor}" data-scenario="${index}" aria-labelledby="${anchor}.title" tabindex="-1">
<div class="head">${badge(outcome)}<h3 id="${anchor}.title"><a href="#${anchor}">${title}</a></h3>${spark}</div>
<p class="soft"><code>${file}</code> <span class="ids">${join(ids, " ")}</span></p>
<div class="intro">${sentencesApart(scenario)
    .slice(0, look.sentences)
    .map((sentence) => html`<p class="apart">${sentence}</p>`)}
${about === "" ? null : html`<p class="about">${about}</p>`}
${totalsOfAllHtml(scenario)}</div>
${look.isClosed ? html`<details class="inside live" data-inside="${index}"><summary>Charts, checks, world and traffic</summary></details>` : insideHtml(scenario, index, drawings, look.hasTable)}
</section>`;
}

/** All of a scenario but its beginning. */
export function insideHtml(
  scenario: ScenarioReport,
  index: number,
  drawings: Drawings = new Map(),
  hasTable: boolean = false,
): Html {
  const { words, variants } = scenario;
  const shown = worstVariant(scenario);
  const sideBySide = figuresHtml(figuresOfAll(scenario, index), drawings);
  const doesNotPass = isBad(scenario);
  return html`${wordsHtml(words, "World and traffic")}
${!doesNotPass && sideBySide}
${variants.length < 2 ? null : choiceHtml(scenario, { index, shown, hasTable })}
<div class="variant">${variants.length === 0 ? null : variantHtml(scenario, { scenario: index, variant: shown }, drawings)}</div>
${doesNotPass && sideBySide}
<details class="file live" data-source="${index}"><summary>Scenario file of this run</summary></details>`;
}

/**
 * The controls that select the shown variant: a table, a list and two buttons. A page of many scenarios renders the
 * table when it is opened. The script adds the names of variants to the list.
 */
const choiceHtml = (
  scenario: ScenarioReport,
  { index, shown, hasTable }: { index: number; shown: number; hasTable: boolean },
): Html =>
  html`<details class="variants${hasTable ? "" : " live"}" data-table="${index}"${hasTable && html` open`}><summary>All ${many(scenario.variants.length, "variant")}</summary>${hasTable && variantsHtml(scenario)}</details>
<div class="choice live"><label>Variant <select data-variants="${index}">${optionHtml(scenario.variants[shown]!, shown)}</select></label> <button type="button" data-step="-1">Previous</button> <button type="button" data-step="1">Next</button></div>`;

const optionHtml = ({ name, outcome }: VariantReport, at: number): Html =>
  html`<option value="${at}">${name}${outcome === "pass" ? "" : ` (${outcome})`}</option>`;

export const optionsHtml = ({ variants }: ScenarioReport): Html =>
  html`${variants.map(optionHtml)}`;

export function variantHtml(
  scenario: ScenarioReport,
  at: Omit<FigureAt, "figure">,
  drawings: Drawings,
): Html {
  const variant = scenario.variants[at.variant]!;
  const figures = figuresHtml(figuresOf(scenario, at), drawings);
  const verdicts = verdictsHtml(scenario, at);
  return join(
    [
      ...variant.unsupported.map((why) => html`<p>${why}</p>`),
      totalsHtml(variant),
      // Failures come first; without failures, the figures are more informative than the verdicts.
      ...(variant.outcome === "pass" ? [figures, verdicts] : [verdicts, figures]),
      refusalsClosed(variant, at),
      lossesHtml(variant),
      rejectionsHtml(variant),
      mergesHtml(variant.merges),
      wordsHtml(variant.words, "Only in this variant"),
    ],
    "\n",
  );
}
