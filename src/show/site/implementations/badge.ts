// The badge of an implementation: an image of its verdicts for use on any page.
import { many, plural } from "../../../kit/reading/legible.ts";
import { html, type Html } from "../../html/html.ts";

/** Colours of the right part, by result. */
const COLOURS = { good: "#0f6e5c", bad: "#b3261e", none: "#566170" } as const;

/** The width of a letter in pixels in most browsers, at a font size of 11 pixels. */
const LETTER = 6.6;
const MARGIN = 8;
const HEIGHT = 20;

const widthOf = (text: string): number => Math.ceil(text.length * LETTER) + 2 * MARGIN;

/** Counts of verdicts; null if there are no results. */
export interface BadgeCounts {
  readonly holds: number;
  readonly contradicts: number;
}

export function badgeText(counts: BadgeCounts | null): string {
  if (counts === null) return "not examined";
  const { holds, contradicts } = counts;
  return contradicts === 0
    ? `${many(holds, "behaviour")} ${plural(holds, "holds", "hold")}`
    : `${holds} hold, ${contradicts} ${contradicts === 1 ? "contradicts" : "contradict"} its documentation`;
}

/** The badge as SVG. `textLength` fixes the width of the text, so that no font cuts the text off. */
export function badgeSvg(id: string, counts: BadgeCounts | null): Html {
  const text = badgeText(counts);
  const name = `weir ${id}`;
  const [left, right] = [widthOf(name), widthOf(text)];
  const colour =
    counts === null ? COLOURS.none : counts.contradicts === 0 ? COLOURS.good : COLOURS.bad;
  const letters = (words: string, from: number, width: number): Html =>
    html`<text x="${from + MARGIN}" y="14" textLength="${width - 2 * MARGIN}" lengthAdjust="spacingAndGlyphs">${words}</text>`;
  return html`<svg xmlns="http://www.w3.org/2000/svg" width="${left + right}" height="${HEIGHT}" viewBox="0 0 ${left + right} ${HEIGHT}" role="img" aria-label="${name}: ${text}"><title>${name}: ${text}</title><clipPath id="r"><rect width="${left + right}" height="${HEIGHT}" rx="3"/></clipPath><g clip-path="url(#r)"><rect width="${left}" height="${HEIGHT}" fill="#1c2430"/><rect x="${left}" width="${right}" height="${HEIGHT}" fill="${colour}"/></g><g fill="#fff" font-family="Verdana,DejaVu Sans,sans-serif" font-size="11">${letters(name, 0, left)}${letters(text, left, right)}</g></svg>
`;
}
