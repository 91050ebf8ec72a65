// A page with one or several documents. Everything that can be read without a script is text; the rest is data, which
// the page's own script draws when it becomes visible.
import type { Figure } from "../figures/drawable-of.ts";
import { html, join, type Html } from "./html.ts";
import type { Drawings, NamedFigure } from "./figure.ts";
import type { Report } from "../../lab/report/model.ts";

/**
 * The part of a page that shows one document. Each type of document has a function that builds its part.
 *
 * - A part begins with its own h1, the verdict of the document in a sentence. Further headings are h2 and h3.
 * - `figureHtml({ name, figure }, drawings)` makes the element for a chart. The script finds the figure of that name in
 *   `figures`, draws the chart when its element becomes visible, and adds tooltips, zoom and a table of the numbers.
 *   Names are unique in a page: begin them with a word of the document's own ("bench.latency"), never with a digit.
 * - `drawnFirst` has the figures that readers without a script have to see, the most important first. The page draws as
 *   many of them as it has room for, over all parts, and passes the drawings to `html`.
 * - Ids of elements begin with the same word as names of figures.
 */
export interface PagePart {
  readonly title: string; // plain text for the page title and the table of contents
  readonly figures: Readonly<Record<string, Figure>>;
  readonly drawnFirst: readonly NamedFigure[];
  readonly html: (drawings: Drawings) => Html;
}

/** The data that the page's script unpacks. The script shows and filters the scenarios of at most one run. */
export interface Packed {
  readonly run: Report | null; // without repeats
  readonly figures: Readonly<Record<string, Figure>>;
}

interface Embedded {
  readonly policy: Html; // content security policy
  readonly style: Html;
  readonly script: Html;
  readonly data: string; // `Packed` by columns, compressed
  readonly templates: Html; // JSON
}

/** The script removes this notice when it starts. A page that was cut off may lack its end or its script. */
const UNFINISHED = html`<p class="notice fail" id="unfinished" role="alert">The script of this page has not started: the file is incomplete, or the browser blocks the script. Charts and text may be missing, and search and selection do not work.</p>`;

export function pageOf(parts: readonly PagePart[], drawings: Drawings, embedded: Embedded): Html {
  const title = parts.map((part) => part.title).join("; ");
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${embedded.policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="icon" href="data:,">
<title>Weir: ${title}</title>
<style>${embedded.style}</style>
</head>
<body>
<a class="skip" href="#contents">Skip to the contents</a>
${parts.length < 2 ? null : contents(parts)}
<main id="contents" tabindex="-1">
${UNFINISHED}
${join(
  parts.map(
    (part, index) => html`<div class="part" id="part-${index}">${part.html(drawings)}</div>`,
  ),
  "\n",
)}
</main>
<footer class="soft"><p>End of the page.</p></footer>
<script type="application/octet-stream" id="packed">${embedded.data}</script>
<script type="application/json" id="templates">${embedded.templates}</script>
<script type="module">${embedded.script}</script>
</body>
</html>
`;
}

const contents = (parts: readonly PagePart[]): Html =>
  html`<header><nav aria-label="Documents"><ol>${parts.map(
    ({ title }, index) => html`<li><a href="#part-${index}">${title}</a></li>`,
  )}</ol></nav></header>`;
