// The counts of a run as a small image. It loads no font, and its width is the same in every font.
import { countsOf } from "../../lab/check/counts.ts";
import { html, type Html } from "../html/html.ts";
import { formatCount } from "../html/parts.ts";
import type { RunSummary } from "./run-summary.ts";

const NAME = "weir";
const HEIGHT = 20;
const MARGIN = 6;
/** White text is legible on each of these colours. */
const COLOURS = { name: "#414a55", good: "#1d7a3e", bad: "#b3261e" } as const;

export function badgeSvg({ results, unlisted, faults }: RunSummary): string {
  const { passed, failed } = countsOf(results, unlisted);
  const isGood = passed > 0 && failed === 0 && faults.length === 0;
  const message = [
    ...(failed > 0 ? [`${formatCount(failed)} failed`] : []),
    results.length > 0 ? `${formatCount(passed)} passed` : "nothing ran",
    ...(faults.length > 0 ? ["run failed"] : []),
  ].join(", ");
  return String(badgeHtml(message, isGood ? COLOURS.good : COLOURS.bad));
}

function badgeHtml(message: string, colour: string): Html {
  const [left, right] = [widthOf(NAME), widthOf(message)];
  const wide = left + right + 4 * MARGIN;
  const split = left + 2 * MARGIN;
  const text = message;
  return html`<svg xmlns="http://www.w3.org/2000/svg" width="${wide}" height="${HEIGHT}" role="img" aria-label="${NAME}: ${text}">
<title>${NAME}: ${text}</title>
<clipPath id="r"><rect width="${wide}" height="${HEIGHT}" rx="3"/></clipPath>
<g clip-path="url(#r)">
<rect width="${split}" height="${HEIGHT}" fill="${COLOURS.name}"/>
<rect x="${split}" width="${wide - split}" height="${HEIGHT}" fill="${colour}"/>
</g>
<g fill="#fff" font-family="Verdana,DejaVu Sans,sans-serif" font-size="11">
<text x="${MARGIN}" y="14" textLength="${left}">${NAME}</text>
<text x="${split + MARGIN}" y="14" textLength="${right}">${text}</text>
</g>
</svg>
`;
}

/** An estimate of the width in usual fonts, in pixels; the SVG then forces the text to this width. */
const widthOf = (text: string): number =>
  Math.ceil(6.5 * text.length - 2.6 * text.replaceAll(/[^ ,.:il]/g, "").length);
