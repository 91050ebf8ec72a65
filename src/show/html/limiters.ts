// The part of a page for foreign limiters: a table of marks, each linked to its evidence, then the evidence.
import type { ForeignLimiter, LimiterCell, LimitersPart } from "../../lab/report/limiters.ts";
import { html, join, NOTHING, type Html } from "./html.ts";
import type { PagePart } from "./page.ts";
import { COPY, many, table } from "./parts.ts";

/** Ids and links for the parts of a limiter: one part for each behaviour, and one for its profile. */
export interface LimiterPlaces {
  readonly idOf: (limiter: ForeignLimiter, part: string) => string;
  /** A link to the part that has the id from `idOf`. */
  readonly hrefOf: (limiter: ForeignLimiter, part: string) => string;
  /** The address of the limiter's own page; null if it has none. */
  readonly pageOf: (limiter: ForeignLimiter) => string | null;
}

const placesOf = (name: string): LimiterPlaces => ({
  idOf: (limiter, part) => anchorOf(name, limiter, part),
  hrefOf: (limiter, part) => `#${anchorOf(name, limiter, part)}`,
  pageOf: () => null,
});

/** `name` is the prefix of the ids in this part: it starts with a letter, and no other part has the same prefix. */
export const partOfLimiters = (name: string, part: LimitersPart): PagePart => ({
  title: "Implementations",
  figures: {},
  drawnFirst: [],
  html: () =>
    html`<header><div class="head"><h1>Other people's limiters</h1></div>
${part.summary.map((text) => html`<p class="soft">${text}</p>`)}
</header>
<section class="limiters" data-limiters>
<h2>All behaviours</h2>
${limitersTableHtml(part, placesOf(name))}
<h2>Evidence</h2>
${join(
  part.limiters.map((limiter) => evidenceHtml(placesOf(name), part, limiter)),
  "\n",
)}
</section>
${notRunHtml(part)}
<section class="measured"><h2>Circumstances</h2>${table(["name", "value"], part.facts, "circumstances")}</section>`,
});

const anchorOf = (name: string, { id }: ForeignLimiter, behaviour: string): string =>
  `${name}-${id.replaceAll("/", "_")}-${behaviour}`;

/** The table, with its filter and the meaning of its marks. */
export const limitersTableHtml = (part: LimitersPart, places: LimiterPlaces): Html =>
  html`${filterHtml(part)}
${legendHtml(part)}
${gridHtml(places, part)}`;

const distinct = (values: readonly string[]): readonly string[] => [...new Set(values)];

/** The name of a behaviour in words. */
export const behaviourWords = (id: string): string => id.replaceAll("-", " ");

function filterHtml({ limiters, behaviours, verdicts }: LimitersPart): Html {
  const found = new Set(limiters.flatMap(({ cells }) => cells.map(({ verdict }) => verdict)));
  return html`<form class="live filter" aria-label="Filter">
${choice("group", "Kind", options(distinct(limiters.map(({ group }) => group))))}
${choice("clock", "Clock", options(distinct(limiters.map(({ clock }) => clock)).toSorted()))}
${choice(
  "verdict",
  "Verdict",
  Object.entries(verdicts)
    .filter(([verdict]) => found.has(verdict))
    .map(([verdict, { mark, meaning }]) => [verdict, `${mark} ${meaning}`]),
)}
${choice(
  "behaviour",
  "Behaviour",
  behaviours.map(({ id }) => [id, behaviourWords(id)]),
)}
<p class="hits"><output name="hits" aria-live="polite">${many(limiters.length, "implementation")}</output> <button type="reset" hidden>Clear</button></p>
</form>`;
}

const options = (values: readonly string[]): readonly (readonly [string, string])[] =>
  values.map((value) => [value, value]);

const choice = (
  name: string,
  label: string,
  values: readonly (readonly [value: string, words: string])[],
): Html =>
  html`<label>${label} <select name="${name}"><option value="">all</option>${values.map(([value, words]) => html`<option value="${value}">${words}</option>`)}</select></label>`;

/** Each behaviour is a column, whose name is written vertically. */
const gridHtml = (places: LimiterPlaces, part: LimitersPart): Html =>
  html`<div class="scroll grid marks" tabindex="0" role="region" aria-label="Verdicts"><table>
<thead><tr><th scope="col">implementation</th>${part.behaviours.map(({ id, title }) => html`<th scope="col" data-behaviour="${id}" title="${title}"><span>${behaviourWords(id)}</span></th>`)}</tr></thead>
${join(
  [...Map.groupBy(part.limiters, ({ group }) => group)].map(([group, limiters]) =>
    groupHtml(places, part, group, limiters),
  ),
  "\n",
)}</table></div>`;

const groupHtml = (
  places: LimiterPlaces,
  part: LimitersPart,
  group: string,
  limiters: readonly ForeignLimiter[],
): Html =>
  html`<tbody><tr class="group"><th scope="rowgroup">${group}</th><td colspan="${part.behaviours.length}"></td></tr>
${join(
  limiters.map((limiter) => rowHtml(places, part, limiter)),
  "\n",
)}</tbody>`;

const rowHtml = (places: LimiterPlaces, part: LimitersPart, limiter: ForeignLimiter): Html =>
  html`<tr data-limiter="${limiter.id}" data-group="${limiter.group}" data-clock="${limiter.clock}"><th scope="row" title="${aboutText(limiter)}"><b>${nameHtml(places, limiter)}</b>${proofLinkHtml(places, limiter)}</th>${part.behaviours.map(
    ({ id }) => {
      const cell = limiter.cells.find(({ behaviour }) => behaviour === id);
      return html`<td data-behaviour="${id}"${cell === undefined ? null : html` data-verdict="${cell.verdict}"`}>${cell === undefined ? null : markHtml(places, part, limiter, cell)}</td>`;
    },
  )}</tr>`;

const aboutText = ({ name, version, clock, proof }: ForeignLimiter): string =>
  `${name} ${version}, ${clock} clock${proof === null ? "" : `, profile ${proof.verdict}`}`;

function nameHtml({ pageOf }: LimiterPlaces, limiter: ForeignLimiter): Html {
  const page = pageOf(limiter);
  const name = breakable(limiter.id);
  return page === null ? html`${name}` : html`<a href="${page}">${name}</a>`;
}

/** Lets the name of a variant wrap below that of its folder on a narrow page. */
const breakable = (id: string): readonly Html[] =>
  id.split("/").map((part, index) => (index === 0 ? html`${part}` : html`/<wbr>${part}`));

const PROOF = "profile";

const PROOF_MARK = "p";

const proofLinkHtml = ({ hrefOf }: LimiterPlaces, limiter: ForeignLimiter): Html | null =>
  limiter.proof &&
  html` <a class="${limiter.proof.look}" href="${hrefOf(limiter, PROOF)}" aria-label="${limiter.id}, profile ${limiter.proof.verdict}">${PROOF_MARK}</a>`;

const proofHtml = ({ idOf }: LimiterPlaces, limiter: ForeignLimiter): Html =>
  limiter.proof === null
    ? NOTHING
    : html`<article class="cell" id="${idOf(limiter, PROOF)}" tabindex="-1">
<h3>profile <span class="badge ${limiter.proof.look}">${limiter.proof.verdict}</span></h3>
<p>${limiter.proof.sentence}</p>
<p class="soft">${limiter.proof.file}</p>
<p class="again"><code>${limiter.proof.again}</code>${COPY}</p></article>
`;

function markHtml(
  { hrefOf }: LimiterPlaces,
  part: LimitersPart,
  limiter: ForeignLimiter,
  cell: LimiterCell,
): Html {
  const { mark, meaning, look } = part.verdicts[cell.verdict]!;
  const label = `${limiter.id}, ${behaviourWords(cell.behaviour)}: ${meaning}`;
  return html`<a class="${look}" href="${hrefOf(limiter, cell.behaviour)}" aria-label="${label}">${mark}</a>`;
}

const legendHtml = ({ verdicts, limiters }: LimitersPart): Html =>
  html`<ul class="legend">${Object.values(verdicts).map(({ mark, meaning, look }) => html`<li><b class="${look}">${mark}</b> ${meaning}</li>`)}${limiters.some(({ proof }) => proof !== null) && html`<li><b>${PROOF_MARK}</b> its profile was compared with it, decision by decision</li>`}</ul>`;

/** The evidence of a limiter. Collapsed, because there are many limiters; a link to a cell opens it. */
const evidenceHtml = (places: LimiterPlaces, part: LimitersPart, limiter: ForeignLimiter): Html =>
  html`<details class="limiter" data-limiter="${limiter.id}" data-group="${limiter.group}" data-clock="${limiter.clock}"><summary><b>${limiter.id}</b> <span class="soft">${limiter.name} ${limiter.version}</span> ${countsHtml(part, limiter)}</summary>
${limiterEvidenceHtml(places, part, limiter)}</details>`;

/** The profile of the limiter, then a cell of evidence for each behaviour. */
export const limiterEvidenceHtml = (
  places: LimiterPlaces,
  part: LimitersPart,
  limiter: ForeignLimiter,
): Html =>
  html`${proofHtml(places, limiter)}${join(
    limiter.cells.map((cell) => cellHtml(places, part, limiter, cell)),
    "\n",
  )}`;

const countsHtml = ({ verdicts }: LimitersPart, { cells }: ForeignLimiter): Html =>
  html`<span class="counts">${Object.entries(verdicts).map(([verdict, { mark, meaning, look }]) => {
    const count = cells.filter((cell) => cell.verdict === verdict).length;
    return count === 0
      ? null
      : html` <i class="${look}" title="${count} ${meaning}">${mark}&nbsp;${count}</i>`;
  })}</span>`;

function cellHtml(
  { idOf }: LimiterPlaces,
  part: LimitersPart,
  limiter: ForeignLimiter,
  cell: LimiterCell,
): Html {
  const { mark, meaning, look } = part.verdicts[cell.verdict]!;
  const title = part.behaviours.find(({ id }) => id === cell.behaviour)?.title ?? "";
  return html`<article class="cell" id="${idOf(limiter, cell.behaviour)}" tabindex="-1" data-behaviour="${cell.behaviour}" data-verdict="${cell.verdict}">
<h3>${behaviourWords(cell.behaviour)} <span class="badge ${look}"><i aria-hidden="true">${mark}</i>${meaning}</span></h3>
<p class="soft">${title}</p>
${cell.evidence.map((line) => html`<p>${line}</p>`)}
${cell.documentation === null ? null : html`<blockquote>${cell.documentation}${cell.source === null ? null : html` <cite>${cell.source}</cite>`}</blockquote>`}
${confirmationHtml(cell)}
<p class="again"><code>${cell.again}</code>${COPY}</p></article>`;
}

const confirmationHtml = ({ confirmed, decisions, reduction, scenario }: LimiterCell): Html =>
  confirmed === null
    ? NOTHING
    : html`<p>${confirmed}</p>
${linesHtml("Decisions", decisions)}
${scenario === null ? html`<p class="soft">${reduction}</p>` : linesHtml(reduction ?? "", [scenario])}`;

const linesHtml = (title: string, lines: readonly string[]): Html =>
  lines.length === 0
    ? NOTHING
    : html`<details><summary>${title}</summary><pre tabindex="0">${lines.join("\n")}</pre></details>`;

const notRunHtml = ({ notRun }: LimitersPart): Html =>
  notRun.length === 0
    ? NOTHING
    : html`<section class="measured"><h2>Not run</h2>${table(["implementation", "reason"], notRun, "circumstances")}</section>`;
