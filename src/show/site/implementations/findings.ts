// The findings: each contradiction between a limiter and its documentation, in one sentence, on a page of its own.
import type { ForeignLimiter, LimiterCell } from "../../../lab/report/limiters.ts";
import { html, join, type Html } from "../../html/html.ts";
import { behaviourWords } from "../../html/limiters.ts";
import { COPY } from "../../html/parts.ts";
import { DOCUMENTS_SCRIPT, sectionHtml, type DocumentEntry } from "../docs/document-page.ts";
import { previewOfVerdicts } from "../previews/preview.ts";
import { rootFrom, type SitePage } from "../shell.ts";
import type { SiteImplementation } from "./site-implementation.ts";

/** What a limiter does that lacks the behaviour, after its name. */
export const WITHOUT: Readonly<Record<string, string>> = {
  "a-burst-below-the-rate": "admits more at once than its burst",
  "a-client-that-keeps-asking": "keeps refusing a client that keeps trying",
  "a-clock-goes-back": "grants a second budget when the clock goes back",
  "a-cost-above-the-limit": "admits a request that costs more than the whole limit",
  "a-limit-is-raised": "does not grant the difference when a limit is raised within a window",
  "a-refused-cost-spends-nothing": "spends the limit on requests that it refuses for their cost",
  "a-store-is-gone-and-back": "does not limit again when its store is back",
  "both-sides-of-an-edge": "admits more around the end of a second than its algorithm",
  "bursts-above-the-limit": "gives less than 90 % of its limit to bursts slightly above it",
  "exact-under-concurrency": "miscounts requests at the same time on several connections",
  "five-of-ten": "admits another number of ten requests at once than its limit",
  "most-in-any-window": "admits more in a window than its algorithm",
  "refused-by-one-level-only": "spends one level on requests that another one refuses",
  "slightly-above-the-limit": "refuses a client slightly above the limit while there is room",
  "the-announced-wait-is-not-too-long": "announces a wait that is longer than its window",
  "the-announced-wait-suffices": "refuses clients again that waited for the announced time",
  "twenty-keys": "does not give each of twenty keys a budget of its own",
  "twenty-one-keys": "does not give each of twenty-one keys a budget of its own",
  "uneven-below-a-limit-per-minute": "refuses uneven traffic below its limit per minute",
  "uneven-below-the-limit": "refuses uneven traffic below its limit per second",
  "what-remains-can-be-used": "announces another number of remaining requests than it admits",
};

export interface SiteFinding {
  readonly implementation: SiteImplementation;
  readonly cell: LimiterCell;
  readonly title: string; // of the behaviour
  readonly sentence: string;
  readonly path: string;
  readonly address: string | null; // of the smallest scenario in the playground; null: there is none
}

const FOLDER = "implementations/findings/";

export const pathOfFinding = ({ id }: Pick<ForeignLimiter, "id">, behaviour: string): string =>
  `${FOLDER}${id.replaceAll("/", "-")}-${behaviour}.html`;

export const sentenceOfFinding = (
  { id, name }: Pick<ForeignLimiter, "id" | "name">,
  behaviour: string,
): string =>
  `${name}${id.includes("/") ? ` (${behaviourWords(id.slice(id.indexOf("/") + 1))})` : ""} ${WITHOUT[behaviour]!}.`;

/** One command that works wherever Weir is installed. */
const commandOf = ({ implementation: { id }, cell: { behaviour } }: SiteFinding): string =>
  `weir implementations run ${id} --only ${behaviour}`;

export const findingsHtml = (findings: readonly SiteFinding[], root: string): Html =>
  html`<ol class="findings">${join(
    findings.map(
      (finding) =>
        html`<li><a href="${root}${finding.path}">${finding.sentence}</a> <span class="soft">${finding.implementation.manifest.version}</span>
<p class="again"><code>${commandOf(finding)}</code>${COPY}</p></li>`,
    ),
    "\n",
  )}</ol>`;

export const findingEntries = (findings: readonly SiteFinding[]): readonly DocumentEntry[] =>
  findings.map(({ implementation: { id }, cell: { behaviour }, sentence, path }) => ({
    name: `${id}: ${behaviourWords(behaviour)}`,
    path,
    about: sentence,
  }));

const PARTS = [
  { id: "promise", text: "Promised by the documentation" },
  { id: "observed", text: "Observed" },
  { id: "again", text: "See it again" },
  { id: "scenario", text: "The smallest scenario" },
];

/** A page that can be sent to the maintainers as it is. */
export function findingPage(finding: SiteFinding, entries: readonly DocumentEntry[]): SitePage {
  const { implementation, cell, title, sentence, path, address } = finding;
  const { id, manifest } = implementation;
  const root = rootFrom(path);
  const [promise, observed, again, scenario] = PARTS;
  const contents = html`<h1>${sentence}</h1>
<p class="lead">The documentation of ${manifest.name} promises otherwise, and version ${manifest.version} was examined. Expected: ${title}.</p>
<h2 id="${promise!.id}">${promise!.text}</h2>
<blockquote>${cell.documentation}<br><cite class="soft">${cell.source}</cite></blockquote>
<h2 id="${observed!.id}">${observed!.text}</h2>
<ul>${cell.evidence.map((line) => html`<li>${line}</li>`)}</ul>
${cell.confirmed !== null && html`<p>It was ${cell.confirmed}.</p>`}
${cell.decisions.length > 0 && html`<details open><summary>Decisions</summary><pre tabindex="0">${cell.decisions.join("\n")}</pre></details>`}
<h2 id="${again!.id}">${again!.text}</h2>
<p class="again"><code>weir implementations install ${id}</code>${COPY}</p>
<p class="again"><code>${commandOf(finding)}</code>${COPY}</p>
<p class="soft">The first command downloads ${manifest.name} ${manifest.version} from its registry, and the second prints the verdict with its evidence. In a clone of Weir: <code>${cell.again}</code></p>
${
  cell.scenario === null
    ? html`<h2 id="${scenario!.id}">${scenario!.text}</h2><p>${cell.reduction}</p>`
    : html`<h2 id="${scenario!.id}">${scenario!.text}</h2>
<p>Each line of <code>traffic</code> has the requests of one client, and <code>expect</code> what has to hold.</p>
<pre tabindex="0">${cell.scenario}</pre>
${address !== null && html`<p><a href="${root}${address}">Run it in the playground</a>, where Weir's own limiter decides, which keeps it.</p>`}`
}
<p class="soft">${join(
    [
      ...(implementation.result?.part.facts ?? []).map(([name, value]) => `${name} ${value}`),
      html`<a href="../${id}.html">all results of ${id}</a>`,
      html`<a href="../#findings">all findings</a>`,
    ],
    ", ",
  )}. A newer version may behave differently: the manifest has the version that was examined.</p>`;
  return {
    path,
    place: "Implementations",
    title: `${sentence.replace(/\.$/, "")} · Weir`,
    about: `${sentence} Its documentation, what was observed, and the commands that show it again.`,
    scripts: [DOCUMENTS_SCRIPT],
    ...(implementation.result === null
      ? {}
      : { preview: previewOfVerdicts(implementation.result.part) }),
    contents: sectionHtml({ path, place: "Implementations", entries, headings: PARTS }, contents),
  };
}
