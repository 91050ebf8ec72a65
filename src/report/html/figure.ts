// The place of a figure in a page: as high as what will be drawn there, so that nothing moves when it is.
import { drawableOf } from "../figures/drawable.ts";
import type { Figure } from "../model.ts";
import { escaped } from "./escaped.ts";

/** By the names of figures: drawn before the page was opened. Anything else is drawn when it is looked at. */
export type Drawings = ReadonlyMap<string, string>;

export interface NamedFigure {
  readonly name: string; // the place's, unique in its page
  readonly figure: Figure;
}

export function figureHtml({ name, figure }: NamedFigure, drawings: Drawings): string {
  const { title, height, legend } = drawableOf(figure);
  const keys = legend.map(
    ({ what, colour }) =>
      `<span class="key"><i style="background:${colour}"></i>${escaped(what)}</span>`,
  );
  return `<figure><figcaption><span class="what">${escaped(title)}</span> ${keys.join(" ")}</figcaption><div class="drawing" data-figure="${escaped(name)}" style="height:${height}px">${drawings.get(name) ?? ""}</div></figure>`;
}
