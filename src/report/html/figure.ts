// The place of a figure in a page: as high as what will be drawn there, so that nothing moves when it is.
import { drawableOf } from "../figures/drawable-of.ts";
import type { Figure } from "../model.ts";
import { escaped } from "./escaped.ts";

/** By the names of figures: drawn before the page was opened. Anything else is drawn when it is looked at. */
export type Drawings = ReadonlyMap<string, string>;

export interface NamedFigure {
  readonly name: string; // the place's, unique in its page
  readonly figure: Figure;
}

/** Small ones stand beside each other where there is room. */
export const figuresHtml = (figures: readonly NamedFigure[], drawings: Drawings): string =>
  figures.length === 0
    ? ""
    : `<div class="figures">${figures.map((named) => figureHtml(named, drawings)).join("\n")}</div>`;

export function figureHtml({ name, figure }: NamedFigure, drawings: Drawings): string {
  const { title, unit = "", height, isSmall = false, legend } = drawableOf(figure);
  const keys = legend.map(
    ({ what, colour, look = "bar" }) =>
      `<span class="key"><i class="${look}" style="color:${colour}"></i>${escaped(what)}</span>`,
  );
  return `<figure${isSmall ? ' class="small"' : ""}><figcaption><span class="what">${escaped(title)}</span> ${unit === "" ? "" : `<span class="unit">${escaped(unit)}</span> `}${keys.join(" ")}</figcaption><div class="drawing" data-figure="${escaped(name)}" style="height:${height}px">${drawings.get(name) ?? ""}</div><details class="numbers live" data-numbers="${escaped(name)}"><summary>Numbers</summary></details></figure>`;
}
