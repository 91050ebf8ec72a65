// The element of a figure. It reserves the height of the chart, so that nothing moves when the chart is drawn.
import { drawableOf } from "../figures/drawable-of.ts";
import type { Drawable, Legend } from "../figures/drawable.ts";
import type { Figure } from "../figures/drawable-of.ts";
import { html, join, NOTHING, type Html } from "./html.ts";

/** Charts rendered with the page, by the name of the figure. The script draws all others when they become visible. */
export type Drawings = ReadonlyMap<string, Html>;

export interface NamedFigure {
  readonly name: string; // the value of `data-figure`, unique on the page
  readonly figure: Figure;
}

/** Small figures share a row if the page is wide enough, and one legend if a colour means the same in all of them. */
export function figuresHtml(figures: readonly NamedFigure[], drawings: Drawings): Html {
  if (figures.length === 0) return NOTHING;
  const drawables = figures.map(({ figure }) => drawableOf(figure));
  const common = commonLegend(drawables);
  return html`${common !== null && html`<p class="common">${keysHtml(common)}</p>`}<div class="figures" style="${columnsStyle(figures.length)}">${join(
    figures.map(({ name }, index) => placeHtml(name, drawables[index]!, drawings, common === null)),
    "\n",
  )}</div>`;
}

const MOST_IN_A_ROW = 6;
const LEAST_IN_A_ROW = 4;

/** The columns of a wide page, and of one that has no room for them: with the fewest empty places in the last row. */
function columnsStyle(count: number): string {
  const isFew = count <= MOST_IN_A_ROW;
  const columns = isFew ? count : fittingColumns(count, LEAST_IN_A_ROW, MOST_IN_A_ROW);
  const fewer = fittingColumns(count, Math.ceil(columns / 2), Math.max(1, columns - 1));
  return `--columns:${columns};--fewer:${fewer}`;
}

function fittingColumns(count: number, least: number, most: number): number {
  const emptyOf = (columns: number): number => (columns - (count % columns)) % columns;
  let best = most;
  for (let columns = most; columns >= least; columns--)
    if (emptyOf(columns) < emptyOf(best)) best = columns;
  return best;
}

function commonLegend(drawables: readonly Drawable[]): Legend | null {
  const shareRows = drawables.every(({ isSmall, legend }) => isSmall === true && legend.length > 0);
  if (drawables.length < 2 || !shareRows) return null;
  const common = new Map<string, Legend[number]>();
  for (const entry of drawables.flatMap(({ legend }) => legend)) {
    const { colour, look } = common.get(entry.what) ?? entry;
    if (colour !== entry.colour || look !== entry.look) return null;
    common.set(entry.what, entry);
  }
  const colours = new Set(
    [...common.values()].map(({ colour, look }) => `${colour} ${look ?? ""}`),
  );
  return colours.size === common.size ? [...common.values()] : null;
}

const keysHtml = (legend: Legend): Html =>
  join(
    legend.map(
      ({ what, colour, look = "bar" }) =>
        html`<span class="key"><i ${lookOf(look, colour)}></i>${what}</span>`,
    ),
    " ",
  );

/** Attributes of a legend entry. `admitted` and `refused` are classes, to keep a page of a thousand entries small. */
const lookOf = (look: string, colour: string): Html => {
  const outcome = /^var\(--(admitted|refused)\)$/.exec(colour)?.[1];
  return outcome === undefined
    ? html`class="${look}" style="color:${colour}"`
    : html`class="${look} ${outcome}"`;
};

export const figureHtml = ({ name, figure }: NamedFigure, drawings: Drawings): Html =>
  placeHtml(name, drawableOf(figure), drawings, true);

const placeHtml = (
  name: string,
  { title, height, isSmall = false, legend }: Drawable,
  drawings: Drawings,
  hasLegend: boolean,
): Html =>
  html`<figure${isSmall && html` class="small"`}><figcaption>${title} ${hasLegend && keysHtml(legend)}</figcaption><div class="drawing" data-figure="${name}" style="height:${height}px">${drawings.get(name) ?? null}</div><details class="numbers live"><summary>Numbers, PNG, SVG</summary></details></figure>`;
