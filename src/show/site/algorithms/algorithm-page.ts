// One page of the section "Algorithms": words, a limit to drag, the worst case, costs, implementations, and proofs.
import type { Requirement } from "../../../limiter/spec/requirements.ts";
import { html, join, NOTHING, type Html } from "../../html/html.ts";
import type { Drawings } from "../../html/figure.ts";
import { COPY, table } from "../../html/parts.ts";
import {
  DOCUMENTS_SCRIPT,
  entriesHtml,
  sectionHtml,
  type DocumentEntry,
} from "../docs/document-page.ts";
import { previewOfFigure } from "../previews/preview.ts";
import { rootFrom, type SitePage } from "../shell.ts";
import {
  liveFormHtml,
  liveResultHtml,
  LIVE_LIMITS,
  type LiveRun,
  liveFigure,
} from "./live-limit.ts";
import type { Subject } from "./subjects.ts";

/** The worst case of a subject: a result of `weir worst`, or a scenario of the suite. */
export interface ShownWorstCase {
  readonly command: string;
  readonly sentences: readonly string[];
  readonly scenario: string; // text of the scenario
  readonly address: string; // its address in the playground
}

/** Measured numbers, and how they were measured. */
export interface ShownCosts {
  readonly rows: readonly (readonly string[])[]; // columns as in `COST_HEADS`
  readonly redis: string; // version on which commands were counted
  readonly measured: readonly { readonly text: string; readonly command: string }[];
}

const COST_HEADS = ["algorithm", "admitted", "refused", "after the response", "record", "log"];

/** An implementation that uses the subject of the page. */
export interface ShownUser {
  readonly id: string;
  readonly name: string;
  readonly version: string;
  readonly about: string;
  /** A sentence of its documentation or source; null if its algorithm or capabilities show the use. */
  readonly evidence: { readonly sentence: string; readonly source: string } | null;
}

export interface ShownProof {
  readonly requirement: Requirement;
  readonly scenarios: readonly ShownScenario[];
}

export interface ShownScenario {
  readonly id: string; // such as limits/first
  readonly title: string;
  readonly address: string; // its address in the playground
}

export interface AlgorithmPage {
  readonly subject: Subject;
  readonly words: Html; // the paragraphs
  readonly first: LiveRun; // the run with the initial limit
  readonly address: string; // address of that run in the playground
  readonly drawings: Drawings;
  readonly worst: ShownWorstCase | null; // null if there is no worst case
  readonly costs: ShownCosts | null; // null if the subject has no measurements of its own
  readonly users: readonly ShownUser[];
  readonly proofs: readonly ShownProof[];
}

/** The script that algorithm pages need in addition to the common scripts. */
const SCRIPT = "limit.js";

export const pathOfSubject = ({ id }: Pick<Subject, "id">): string => `algorithms/${id}.html`;

const PARTS = [
  ["try", "Try it"],
  ["worst", "Worst case"],
  ["costs", "Costs"],
  ["users", "Used by"],
  ["specification", "Specification"],
  ["scenarios", "Scenarios"],
] as const;

export function algorithmPage(page: AlgorithmPage, entries: readonly DocumentEntry[]): SitePage {
  const { subject, words } = page;
  const figure = liveFigure(page.first.report);
  const path = pathOfSubject(subject);
  const root = rootFrom(path);
  const headings = PARTS.map(([id, text]) => ({ id, text }));
  const contents = html`<h1>${subject.title}</h1>
<p class="lead">${subject.about}</p>
${words}
<p class="soft">${subject.algorithm === null ? NOTHING : html`In scenarios: <code>algorithm: ${subject.algorithm}</code>. `}<a href="${root}docs/answer/semantics.html#${subject.heading}">In the documentation</a></p>
${tryHtml(page, root)}
<h2 id="worst">Worst case</h2>
${worstHtml(page, root)}
<h2 id="costs">Costs</h2>
${costsHtml(page)}
<h2 id="users">Used by</h2>
${usersHtml(page, root)}
<h2 id="specification">Specification</h2>
<p class="soft">Each sentence has the scenarios that prove it.</p>
${join(page.proofs.map(proofHtml), "\n")}
<h2 id="scenarios">Scenarios</h2>
${scenariosHtml(page, root)}`;
  return {
    path,
    place: "Algorithms",
    title: `${subject.title} · Weir`,
    about: subject.about,
    scripts: [DOCUMENTS_SCRIPT, SCRIPT],
    ...(figure === undefined ? {} : { preview: previewOfFigure(figure) }),
    contents: sectionHtml({ path, place: "Algorithms", entries, headings }, contents),
  };
}

const tryHtml = ({ subject, first, address, drawings }: AlgorithmPage, root: string): Html =>
  html`<section class="live-limit form" id="limit" data-limit="${subject.id}"><h2 id="try">Try it</h2>
${liveFormHtml(LIVE_LIMITS[subject.id]!)}
<div id="limit-result">${liveResultHtml(first, drawings)}</div>
<p><a id="limit-address" href="${root}${address}">Open it in the playground</a> <span id="limit-state" role="status"></span></p>
<noscript><p class="soft">With JavaScript, the numbers can be changed here: Weir itself runs in the page.</p></noscript></section>`;

const worstHtml = ({ worst }: AlgorithmPage, root: string): Html =>
  worst === null
    ? html`<p>The algorithm decides each request, so the worst case is that of the algorithm: see the <a href="${root}${pathOfSubject({ id: "sliding-log" })}#worst">sliding log</a> and the <a href="${root}docs/answer/worst-case.html">table of all</a>.</p>`
    : html`${worst.sentences.map((sentence) => html`<p>${sentence}</p>`)}
<p class="again"><code>${worst.command}</code>${COPY}</p>
<details><summary>The scenario</summary><pre tabindex="0">${worst.scenario}</pre></details>
<p><a href="${root}${worst.address}">Run it in the playground</a></p>`;

const costsHtml = ({ costs }: AlgorithmPage): Html =>
  costs === null
    ? html`<p>Nothing is measured for it alone: a request costs what its algorithm costs.</p>`
    : html`${
        costs.rows.length === 0
          ? html`<p>A decision needs no command of the store.</p>`
          : html`${table(COST_HEADS, costs.rows, "costs")}
<p class="soft">Commands for a request and bytes for a key, counted on Redis ${costs.redis} by <code>npm run costs</code>. The bytes of a log are those for its number of attempts. <a href="../docs/serve/benchmarking.html">Benchmarks</a></p>`
      }${costs.measured.map(
        ({ text, command }) =>
          html`<p>${text}</p><p class="again"><code>${command}</code>${COPY}</p>`,
      )}`;

function usersHtml({ users }: AlgorithmPage, root: string): Html {
  if (users.length === 0)
    return html`<p>None of the examined <a href="${root}implementations/">implementations</a>.</p>`;
  return html`<ul class="entries">${users.map(
    ({ id, name, version, about, evidence }) =>
      html`<li><a href="${root}implementations/${id}.html">${name}</a><span>${evidence === null ? about : html`“${evidence.sentence}” <a href="${evidence.source}">source</a>`} <span class="soft">${version}</span></span></li>`,
  )}</ul>`;
}

const proofHtml = ({ requirement: { id, tier, section, text }, scenarios }: ShownProof): Html =>
  html`<article class="requirement" id="${id}"><h3>${id} <span class="soft">${tier}, ${section}</span></h3>
<p>${text}</p>
<p class="proofs">${join(
    scenarios.map((scenario) => html`<a href="#${scenario.id}">${scenario.id}</a>`),
    " ",
  )}</p></article>`;

/** Lists each scenario once, because many scenarios prove several requirements. */
function scenariosHtml({ proofs }: AlgorithmPage, root: string): Html {
  const all = new Map(
    proofs.flatMap(({ scenarios }) => scenarios).map((scenario) => [scenario.id, scenario]),
  );
  return html`<p class="soft">Each opens in the playground, and runs there.</p>
<ul class="entries">${join(
    [...all.values()].map(
      ({ id, title, address }) =>
        html`<li id="${id}" tabindex="-1"><a href="${root}${address}">${id}</a><span>${title}</span></li>`,
    ),
    "\n",
  )}</ul>`;
}

export function algorithmIndex(entries: readonly DocumentEntry[]): SitePage {
  const path = "algorithms/index.html";
  return {
    path,
    place: "Algorithms",
    title: "Algorithms · Weir",
    about:
      "How each algorithm of a rate limit decides, what it admits at worst, and what it costs.",
    scripts: [DOCUMENTS_SCRIPT],
    contents: sectionHtml(
      { path, place: "Algorithms", entries, headings: [] },
      html`<h1>Algorithms</h1><p>Each page has a limit to drag, the worst case, the costs, the implementations that use it, and the sentences of the specification.</p>${entriesHtml(path, entries)}`,
    ),
  };
}
