// The element of a figure. It reserves the height of the chart, so that nothing moves when the chart is drawn.
import { drawableOf } from "../figures/drawable-of.ts";
import type { Figure } from "../figures/drawable-of.ts";
import { html, join, NOTHING, type Html } from "./html.ts";

/** Charts rendered with the page, by the name of the figure. The script draws all others when they become visible. */
export type Drawings = ReadonlyMap<string, Html>;

export interface NamedFigure {
  readonly name: string; // the value of `data-figure`, unique on the page
  readonly figure: Figure;
}

/** Small figures share a row if the page is wide enough. */
export const figuresHtml = (figures: readonly NamedFigure[], drawings: Drawings): Html =>
  figures.length === 0
    ? NOTHING
    : html`<div class="figures">${join(
        figures.map((named) => figureHtml(named, drawings)),
        "\n",
      )}</div>`;

/** Attributes of a legend entry. `admitted` and `refused` are classes, to keep a page of a thousand entries small. */
const lookOf = (look: string, colour: string): Html => {
  const outcome = /^var\(--(admitted|refused)\)$/.exec(colour)?.[1];
  return outcome === undefined
    ? html`class="${look}" style="color:${colour}"`
    : html`class="${look} ${outcome}"`;
};

export function figureHtml({ name, figure }: NamedFigure, drawings: Drawings): Html {
  const { title, height, isSmall = false, legend } = drawableOf(figure);
  const keys = legend.map(
    ({ what, colour, look = "bar" }) =>
      html`<span class="key"><i ${lookOf(look, colour)}></i>${what}</span>`,
  );
  return html`<figure${isSmall && html` class="small"`}><figcaption>${title} ${join(keys, " ")}</figcaption><div class="drawing" data-figure="${name}" style="height:${height}px">${drawings.get(name) ?? null}</div><details class="numbers live"><summary>Numbers, PNG, SVG</summary></details></figure>`;
}
