// One scenario of a report, and one of its variants at a time.
import { OUTCOMES } from "../../scenario/verdict.ts";
import type { Figure, Report, ScenarioReport, VariantReport } from "../model.ts";
import { formatDuration, micros, SECOND } from "../../core/units.ts";
import { hashOf, NOWHERE } from "./address.ts";
import { html, join, type Html, type Insertable } from "./html.ts";
import { figuresHtml, type Drawings, type NamedFigure } from "./figure.ts";
import { mergesHtml } from "./merges.ts";
import { isBad } from "./overview.ts";
import { anchorOf, badge, counted, many, table } from "./parts.ts";
import { refusalFigure, refusalsClosed } from "./refusals.ts";
import { rejectionsHtml, totalsHtml, totalsOfAllHtml } from "./totals.ts";
import { verdictsHtml } from "./verdicts.ts";
import { wordsHtml } from "./words.ts";

/** Where a figure stands in its report. */
export interface FigureAt {
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

/** Those that show the variants side by side. */
const figuresOfAll = ({ figures }: ScenarioReport, index: number): readonly NamedFigure[] =>
  figures.map((figure, at) => ({ name: `${index}.${OF_ALL}.${at}`, figure }));

/** The figure of a run that a name stands for. */
export function figureNamed({ scenarios }: Report, name: string): Figure | undefined {
  const [index, variant, figure] = name.split(".");
  const scenario = scenarios[Number(index)];
  if (figure?.startsWith("r") === true) {
    const told = scenario?.variants[Number(variant)];
    return (told && refusalFigure(told, Number(figure.slice(1)))) ?? undefined;
  }
  const of = variant === OF_ALL ? scenario : scenario?.variants[Number(variant)];
  return of?.figures[Number(figure)];
}

/** The one that is shown until a reader asks for another: the worst, and of equals the first. */
export function shownFirst({ variants }: ScenarioReport): number {
  const rank = ({ outcome }: VariantReport): number =>
    outcome === "unsupported" ? OUTCOMES.length : OUTCOMES.indexOf(outcome);
  const ranks = variants.map(rank);
  return Math.max(0, ranks.indexOf(Math.min(...ranks)));
}

export function sectionHtml(scenario: ScenarioReport, index: number, drawings: Drawings): Html {
  const { title, about, file, proves, outcome, words, variants } = scenario;
  const shown = shownFirst(scenario);
  const anchor = anchorOf(scenario);
  const sideBySide = figuresHtml(figuresOfAll(scenario, index), drawings);
  const doesNotPass = isBad(scenario);
  const ids = proves.map((each) => html`<a href="#r-${each}">${each}</a>`);
  return html`<section class="scenario" id="${anchor}" data-scenario="${index}" aria-labelledby="${anchor}.title" tabindex="-1">
<div class="head">${badge(outcome)}<h3 id="${anchor}.title"><a href="#${anchor}">${title}</a></h3></div>
<p class="soft"><code>${file}</code> <span class="ids">${join(ids, " ")}</span></p>
${about === "" ? null : html`<p class="about">${about}</p>`}
${totalsOfAllHtml(scenario)}
${wordsHtml(words, "World and traffic")}
${!doesNotPass && sideBySide}
${variants.length < 2 ? null : choiceHtml(scenario, index, shown)}
<div class="variant">${variants.length === 0 ? null : variantHtml(scenario, { scenario: index, variant: shown }, drawings)}</div>
${doesNotPass && sideBySide}
<details class="file live" data-source="${index}"><summary>The file as it was played</summary></details>
</section>`;
}

/**
 * One variant is shown at a time; the others are a key away, or in a table that is made when it is asked for. Their names
 * are put into the choice by the script, from what it has of them anyway.
 */
const choiceHtml = ({ variants }: ScenarioReport, index: number, shown: number): Html =>
  html`<div class="choice live"><label>Variant <select data-variants="${index}">${optionHtml(variants[shown]!, shown)}</select></label> <button type="button" data-step="-1">Previous</button> <button type="button" data-step="1">Next</button><details data-table="${index}"><summary>All ${many(variants.length, "variant")}</summary></details></div>`;

const optionHtml = ({ name, outcome }: VariantReport, at: number): Html =>
  html`<option value="${at}">${name}${outcome === "pass" ? "" : ` (${outcome})`}</option>`;

export const optionsHtml = ({ variants }: ScenarioReport): Html =>
  html`${variants.map(optionHtml)}`;

/** What is the same of all variants has no column: the name is what they are told apart by, and needs the room. */
export function variantsHtml(scenario: ScenarioReport): Html {
  const { variants } = scenario;
  const anchor = anchorOf(scenario);
  const columns: readonly (readonly [string, (variant: VariantReport) => Insertable])[] = [
    ["outcome", ({ outcome }) => badge(outcome)],
    [
      "variant",
      ({ name }) => html`<a href="${hashOf({ ...NOWHERE, anchor, variant: name })}">${name}</a>`,
    ],
    ["requests", ({ requests }) => counted(requests)],
    ["admitted", ({ admitted }) => counted(admitted)],
    ["refused", ({ refused }) => counted(refused)],
    ["rejected", ({ rejected }) => counted(rejected)],
    [
      "most admitted",
      ({ peak }) =>
        peak === null ? "" : `${counted(peak.admitted)} in ${formatDuration(micros(peak.perUs))}`,
    ],
    ...(variants.some(({ driver }) => driver !== variants[0]!.driver)
      ? [["driver", ({ driver }: VariantReport) => driver] as const]
      : []),
    ...(variants.some(({ undecided }) => undecided > 0)
      ? [["undecided", ({ undecided }: VariantReport) => counted(undecided)] as const]
      : []),
    ["lasts", ({ virtualUs }) => `${counted(virtualUs / SECOND)} s`],
  ];
  return table(
    columns.map(([head]) => head),
    variants.map((variant) => columns.map(([, cellOf]) => cellOf(variant))),
    "all",
  );
}

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
      // What does not hold comes first; where all holds, the drawing says more.
      ...(variant.outcome === "pass" ? [figures, verdicts] : [verdicts, figures]),
      refusalsClosed(variant, at),
      rejectionsHtml(variant),
      mergesHtml(variant.merges),
      wordsHtml(variant.words, "What this variant has of its own"),
    ],
    "\n",
  );
}
