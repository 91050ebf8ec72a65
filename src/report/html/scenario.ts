// One scenario of a report, and one of its variants at a time.
import { OUTCOMES } from "../../scenario/verdict.ts";
import type { Figure, Report, ScenarioReport, VariantReport } from "../model.ts";
import { escaped } from "./escaped.ts";
import { figuresHtml, type Drawings, type NamedFigure } from "./figure.ts";
import { mergesHtml } from "./merges.ts";
import { anchorOf, badge, many } from "./parts.ts";
import { refusalFigure, refusalsClosed } from "./refusals.ts";
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

export function sectionHtml(scenario: ScenarioReport, index: number, drawings: Drawings): string {
  const { id, title, about, file, proves, outcome, words, variants } = scenario;
  const shown = shownFirst(scenario);
  const options = variants
    .map(
      ({ name, outcome: each }, at) =>
        `<option value="${at}"${at === shown ? " selected" : ""}>${escaped(name)}${each === "pass" ? "" : ` (${each})`}</option>`,
    )
    .join("");
  const choice =
    variants.length < 2
      ? ""
      : `<p><label>Variant <select data-variants="${index}">${options}</select></label> <span class="soft">of ${many(variants.length, "variant")}</span></p>`;
  return `<section id="${anchorOf(id)}" data-scenario="${index}" data-outcome="${outcome}">
<div class="head">${badge(outcome)}<h2>${escaped(title)}</h2></div>
<p><code class="soft">${escaped(file)}</code> <span class="ids soft">${escaped(proves.join(" "))}</span></p>
${about === "" ? "" : `<p>${escaped(about)}</p>`}
${wordsHtml(words, "World and traffic")}
${figuresHtml(figuresOfAll(scenario, index), drawings)}
${choice}
<div class="variant">${variants.length === 0 ? "" : variantHtml(scenario, { scenario: index, variant: shown }, drawings)}</div>
</section>`;
}

export function variantHtml(
  scenario: ScenarioReport,
  at: Omit<FigureAt, "figure">,
  drawings: Drawings,
): string {
  const variant = scenario.variants[at.variant]!;
  return [
    ...variant.unsupported.map((why) => `<p>${escaped(why)}</p>`),
    figuresHtml(figuresOf(scenario, at), drawings),
    verdictsHtml(scenario, at),
    refusalsClosed(variant, at),
    mergesHtml(variant.merges),
    wordsHtml(variant.words, "What this variant has of its own"),
  ].join("\n");
}
