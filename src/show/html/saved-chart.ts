// A chart as an image of its own: below its title and its numbers, with the address that it was saved from.
import { FONT, WIDTH } from "../figures/spec.ts";
import type { Figure } from "../figures/drawable-of.ts";
import type { Legend, Look } from "../figures/drawable.ts";
import { formatCount } from "./parts.ts";
import { html, trustMarkup, type Html } from "./html.ts";

const MARGIN = 16;
const TITLE = { size: 18, line: 24, letters: 84 };
const KEY = { size: 13, line: 20, letter: 7.4, mark: 12, gap: 22 };
const FOOT = 22;
const MOST_OF_ADDRESS = 110;

/** Counts behind the entries of a legend, by name, where a figure counts requests. */
function totalsIn(figure: Figure): ReadonlyMap<string, number> {
  const totals = new Map<string, number>();
  const add = (what: string, count: number): unknown =>
    totals.set(what, (totals.get(what) ?? 0) + count);
  if (figure.kind === "time" && figure.unit.endsWith(" per second"))
    for (const { what, values } of figure.bars)
      for (const value of values) add(what, value * figure.binS);
  if (figure.kind === "compared" && figure.rows.every(({ parts }) => parts.length > 1))
    for (const { parts } of figure.rows) for (const { what, value } of parts) add(what, value);
  return totals;
}

export interface SavedChart {
  readonly figure: Figure;
  readonly subject: string; // what the chart is about
  readonly caption: string; // the title of the figure, and which of several it is
  readonly legend: Legend;
  readonly height: number; // of the drawing, which is `WIDTH` wide
  readonly drawing: string; // the SVG of the chart, by Vega
  readonly address: string;
}

/** The image, in which `colourOf` replaces the names of colours of the page, because it has no style. */
export function renderChartSvg(chart: SavedChart, colourOf: (name: string) => string): string {
  const { subject, caption, height, drawing, address } = chart;
  const title = linesOf(subject, TITLE.letters);
  const below = MARGIN + title.length * TITLE.line + KEY.line;
  const keys = placeKeys(chart);
  const above = below + ((keys.at(-1)?.row ?? -1) + 1) * KEY.line;
  const [width, total] = [WIDTH + 2 * MARGIN, above + height + FOOT + MARGIN];
  const shown =
    address.length > MOST_OF_ADDRESS ? `${address.slice(0, MOST_OF_ADDRESS)}…` : address;
  const svg = html`<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${total}" viewBox="0 0 ${width} ${total}" font-family="${FONT}"><title>${subject}: ${caption}</title><desc>${address}</desc>
<rect width="${width}" height="${total}" fill="var(--page)"/>
${title.map((line, index) => html`<text x="${MARGIN}" y="${MARGIN + TITLE.size + index * TITLE.line}" font-size="${TITLE.size}" font-weight="600" fill="var(--ink)">${line}</text>`)}
<text x="${MARGIN}" y="${below - 5}" font-size="${KEY.size}" fill="var(--ink-soft)">${caption}</text>
${keys.map((key) => keyHtml(key, below))}
<svg x="${MARGIN}" y="${above}" width="${WIDTH}" height="${height}">${trustMarkup(drawing)}</svg>
<text x="${MARGIN}" y="${total - MARGIN}" font-size="12" fill="var(--ink-soft)">${shown}</text><text x="${width - MARGIN}" y="${total - MARGIN}" font-size="12" font-weight="600" text-anchor="end" fill="var(--ink-soft)">Weir</text></svg>`;
  return String(svg).replaceAll(/var\(--([\w-]+)\)/g, (_, name: string) => colourOf(name));
}

/** The dashes of a line in the legend; all other entries are squares. */
const DASHES: Readonly<Partial<Record<Look, string>>> = {
  line: "none",
  dashed: "4 2",
  dotted: "2 2",
  limit: "4 2",
  mark: "2 2",
};

function keyHtml({ x, row, words, colour, look }: PlacedKey, top: number): Html {
  const y = top + row * KEY.line;
  const dashes = DASHES[look];
  const mark =
    dashes === undefined
      ? html`<rect x="${x}" y="${y + 4}" width="${KEY.mark}" height="${KEY.mark}" rx="2" fill="${colour}"/>`
      : html`<path d="M${x} ${y + 10}h${KEY.mark}" stroke="${colour}" stroke-width="2" stroke-dasharray="${dashes}"/>`;
  return html`${mark}<text x="${x + KEY.mark + 6}" y="${y + 15}" font-size="${KEY.size}" fill="var(--ink-soft)">${words}</text>`;
}

interface PlacedKey {
  readonly x: number;
  readonly row: number;
  readonly words: string;
  readonly colour: string;
  readonly look: Look;
}

function placeKeys({ figure, legend }: SavedChart): readonly PlacedKey[] {
  const totals = totalsIn(figure);
  let [x, row] = [MARGIN, 0];
  return legend.map(({ what, colour, look = "bar" }) => {
    const total = totals.get(what);
    const words = total === undefined ? what : `${what}: ${formatCount(Math.round(total))}`;
    const width = KEY.mark + 6 + words.length * KEY.letter;
    if (x > MARGIN && x + width > MARGIN + WIDTH) [x, row] = [MARGIN, row + 1];
    const place = { x, row, words, colour, look };
    x += width + KEY.gap;
    return place;
  });
}

/** Lines of whole words; only a word that is longer than a line is longer than its line. */
function linesOf(text: string, most: number): readonly string[] {
  const lines: string[] = [];
  for (const word of text.split(/\s+/)) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + 1 + word.length <= most)
      lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines;
}
