// One scenario of a report, and one of its variants at a time.
import { OUTCOMES } from "../../scenario/verdict.ts";
import { drawableOf } from "../figures/drawable.ts";
import type { Figure, ScenarioReport, VariantReport, VerdictReport } from "../model.ts";
import { escaped } from "./escaped.ts";
import { anchorOf, badge, cell, many, table } from "./parts.ts";

/** Where a figure stands in its report. */
export interface FigureAt {
  readonly scenario: number;
  readonly variant: number;
  readonly figure: number;
}

export const figureName = ({ scenario, variant, figure }: FigureAt): string =>
  `${scenario}.${variant}.${figure}`;

/** Drawn before the page was opened; anything else is drawn when it is looked at. */
export type Drawings = ReadonlyMap<string, string>;

/** The one that is shown until a reader asks for another: the worst, and of equals the first. */
export function shownFirst({ variants }: ScenarioReport): number {
  const rank = ({ outcome }: VariantReport): number =>
    outcome === "unsupported" ? OUTCOMES.length : OUTCOMES.indexOf(outcome);
  const ranks = variants.map(rank);
  return Math.max(0, ranks.indexOf(Math.min(...ranks)));
}

export function sectionHtml(scenario: ScenarioReport, index: number, drawings: Drawings): string {
  const { id, title, about, file, proves, outcome, variants } = scenario;
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
${choice}
<div class="variant">${variants.length === 0 ? "" : variantHtml(scenario, { scenario: index, variant: shown }, drawings)}</div>
</section>`;
}

export function variantHtml(
  { variants }: ScenarioReport,
  at: Omit<FigureAt, "figure">,
  drawings: Drawings,
): string {
  const { figures, verdicts, unsupported } = variants[at.variant]!;
  return [
    ...unsupported.map((why) => `<p>${escaped(why)}</p>`),
    ...figures.map((figure, index) => {
      const name = figureName({ ...at, figure: index });
      return figureHtml(figure, name, drawings.get(name) ?? "");
    }),
    table(
      ["outcome", "expectation", "expected", "observed", "examined"],
      verdicts.map(verdictRow),
      "verdicts",
    ),
  ].join("\n");
}

/** Its place is as high as what will be drawn there, so that nothing moves when it is. */
function figureHtml(figure: Figure, name: string, drawing: string): string {
  const { title, height, legend } = drawableOf(figure);
  const keys = legend.map(
    ({ what, colour }) =>
      `<span class="key"><i style="background:${colour}"></i>${escaped(what)}</span>`,
  );
  return `<figure><figcaption>${escaped(title)} ${keys.join(" ")}</figcaption><div class="drawing" data-figure="${name}" style="height:${height}px">${drawing}</div></figure>`;
}

const verdictRow = ({
  expectation,
  outcome,
  expected,
  observed,
  examined,
}: VerdictReport): readonly string[] => [
  badge(outcome),
  escaped(expectation),
  cell(expected),
  cell(observed),
  examined.toLocaleString("en-US"),
];
