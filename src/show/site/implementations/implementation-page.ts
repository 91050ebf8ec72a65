// The section "Implementations": the table of all, and a page for each with claims, verdicts and profile.
import {
  behaviourWords,
  limiterEvidenceHtml,
  limitersTableHtml,
  type LimiterPlaces,
} from "../../html/limiters.ts";
import { html, join, NOTHING, type Html } from "../../html/html.ts";
import { COPY, many, table } from "../../html/parts.ts";
import type { ForeignLimiter, LimitersPart } from "../../../lab/report/limiters.ts";
import {
  DOCUMENTS_SCRIPT,
  SEARCH,
  sectionHtml,
  type DocumentEntry,
} from "../docs/document-page.ts";
import { previewOfVerdicts } from "../previews/preview.ts";
import { rootFrom, type SitePage } from "../shell.ts";
import { findingsHtml, pathOfFinding, sentenceOfFinding, type SiteFinding } from "./findings.ts";
import { badgeText } from "./badge.ts";
import type { ImplementationResult, SiteImplementation } from "./site-implementation.ts";

/** A behaviour, with its address in the playground. */
export interface ShownBehaviour {
  readonly id: string;
  readonly title: string;
  readonly address: string;
}

export const pathOfImplementation = (id: string): string => `implementations/${id}.html`;
export const pathOfBadge = (id: string): string => `implementations/${id}.svg`;

const INDEX = "implementations/index.html";
const TABLE_SCRIPT = "implementations.js";

const placesFrom = (path: string): LimiterPlaces => {
  const pageOf = ({ id }: ForeignLimiter): string => `${rootFrom(path)}${pathOfImplementation(id)}`;
  return {
    idOf: (_, part) => part,
    hrefOf: (limiter, part) => `${pageOf(limiter)}#${part}`,
    pageOf,
  };
};

export const implementationsIndex = (
  part: LimitersPart,
  findings: readonly SiteFinding[],
  behaviours: readonly ShownBehaviour[],
  without: readonly SiteImplementation[],
): SitePage => ({
  path: INDEX,
  place: "Implementations",
  title: "Implementations · Weir",
  about: "Which gateway and which library keeps which promise of a rate limit, with the evidence.",
  scripts: [DOCUMENTS_SCRIPT, TABLE_SCRIPT],
  preview: previewOfVerdicts(part),
  contents: html`<div class="wide-page"><div class="head"><h1>Which limiter keeps its promises</h1>${SEARCH}</div>
<p class="lead">${part.summary.slice(0, 1)}</p>
<p>${many(part.limiters.length, "limiter")} ran the same ${many(part.behaviours.length, "behaviour")}: ${HREFS.map(([id, words], index) => html`${index > 0 && ", "}<a href="#${id}">${words}</a>`)}, and <a href="../docs/answer/implementations.html">how they are examined, and how to add one</a>.</p>
<h2 id="findings">${many(findings.length, "finding")}: what contradicts the limiter's own documentation</h2>
${findingsHtml(findings, "../")}
<h2 id="table">All limiters and behaviours</h2>
<p class="soft">Each mark leads to its evidence and to the command that shows it again. The name of a limiter has its version.</p>
<section class="limiters" data-limiters>${limitersTableHtml(part, placesFrom(INDEX))}</section>
${part.summary.slice(2).map((sentence) => html`<p class="soft">${sentence}</p>`)}
${withoutHtml(without)}
<h2 id="behaviours">Behaviours</h2>
<p class="soft">Each opens in the playground, where Weir's own limiter runs it.</p>
<ul class="entries">${join(
    behaviours.map(
      ({ id, title, address }) =>
        html`<li id="${id}"><a href="../${address}">${behaviourWords(id)}</a><span>${title}</span></li>`,
    ),
    "\n",
  )}</ul></div>`,
});

const HREFS = [
  ["findings", "the findings"],
  ["table", "the table of all"],
  ["behaviours", "the behaviours"],
] as const;

const withoutHtml = (without: readonly SiteImplementation[]): Html =>
  without.length === 0
    ? NOTHING
    : html`<p>Without a saved result: ${join(
        without.map(({ id }) => html`<a href="../${pathOfImplementation(id)}">${id}</a>`),
        ", ",
      )}.</p>`;

const PARTS = [
  { id: "contradictions", text: "Contradictions" },
  { id: "profile-options", text: "Profile" },
  { id: "claims", text: "Claims" },
  { id: "behaviours", text: "Behaviours" },
  { id: "badge", text: "Badge" },
];

export function implementationPage(
  implementation: SiteImplementation,
  entries: readonly DocumentEntry[],
): SitePage {
  const { id, manifest, result } = implementation;
  const path = pathOfImplementation(id);
  const root = rootFrom(path);
  const title = titleOf(implementation);
  const contents = html`<h1>${title}</h1>
<p class="lead">${manifest.about}</p>
${result === null ? html`<p class="notice">No result of it is saved.</p>` : countsHtml(result)}
${factsHtml(implementation, root)}
<h2 id="contradictions">Contradictions</h2>
${contradictionsHtml(implementation, root)}
<h2 id="profile-options">Profile</h2>
${profileHtml(implementation, root)}
<h2 id="claims">Claims</h2>
${claimsHtml(implementation)}
<h2 id="behaviours">Behaviours</h2>
${
  result === null
    ? html`<p class="again"><code>weir implementations run ${id}</code>${COPY}</p>`
    : html`<p class="soft">Of <code>${result.file}</code>. The <a href="${root}${INDEX}">table</a> compares them with other implementations.</p>
<div class="limiters">${limiterEvidenceHtml(placesFrom(path), result.part, result.limiter)}</div>`
}
<h2 id="badge">Badge</h2>
${badgeHtml(implementation, root)}`;
  return {
    path,
    place: "Implementations",
    title: `${title} · Weir`,
    about: manifest.about,
    scripts: [DOCUMENTS_SCRIPT],
    ...(result === null ? {} : { preview: previewOfVerdicts(result.part) }),
    contents: sectionHtml({ path, place: "Implementations", entries, headings: PARTS }, contents),
  };
}

export const titleOf = ({ id, manifest: { name } }: SiteImplementation): string =>
  id.includes("/") ? `${name}: ${id.slice(id.indexOf("/") + 1)}` : name;

const countsHtml = ({ part: { verdicts }, limiter: { cells } }: ImplementationResult): Html =>
  html`<ul class="legend">${Object.entries(verdicts).map(([verdict, { meaning, look }]) => {
    const count = cells.filter((cell) => cell.verdict === verdict).length;
    return count === 0 ? null : html`<li><b class="${look}">${count}</b> ${meaning}</li>`;
  })}</ul>`;

function factsHtml({ id, manifest, algorithm, result }: SiteImplementation, root: string): Html {
  const { version, kind, language, clock, resolution, install, refusal } = manifest;
  const packages = install.packages.length === 0 ? "none" : install.packages.join(", ");
  const rows: readonly (readonly [string, Html | string])[] = [
    ["version", version],
    [
      "decides by",
      html`<a href="${root}algorithms/${algorithm.replaceAll("_", "-")}.html">${algorithm}</a>`,
    ],
    ["kind", kind === "http" ? "a server that takes requests" : "a library"],
    ...(language === "" ? [] : [["language", language] as const]),
    ["packages", `${packages} (${install.registry})`],
    ["clock", resolution === null ? clock : `${clock}, in units of ${resolution / 1000} ms`],
    ["a refusal", String(refusal)],
    ...manifest.features.map(
      ({ of, sentence, source }) =>
        [
          "has also",
          html`<a href="${root}algorithms/${of}.html">${of}</a>: “${sentence}” <a href="${source}">source</a>`,
        ] as const,
    ),
    [
      "examined",
      result === null
        ? "no result is saved"
        : result.part.facts.map(([name, value]) => `${name} ${value}`).join(", "),
    ],
    ["again", html`<code>weir implementations run ${id}</code>`],
  ];
  return html`<dl class="facts">${rows.map(([name, value]) => html`<dt>${name}</dt><dd>${value}</dd>`)}</dl>`;
}

function contradictionsHtml({ result }: SiteImplementation, root: string): Html {
  const found = result?.limiter.cells.filter(({ verdict }) => verdict === "contradicts") ?? [];
  if (result === null) return html`<p>Nothing was run.</p>`;
  if (found.length === 0) return html`<p>Nothing that was run contradicts its documentation.</p>`;
  return html`<ul>${found.map(
    ({ behaviour, documentation }) =>
      html`<li><a href="${root}${pathOfFinding(result.limiter, behaviour)}">${sentenceOfFinding(result.limiter, behaviour)}</a>${documentation !== null && html` Its documentation states: “${documentation}”`}</li>`,
  )}</ul>`;
}

function profileHtml({ profile, options, result }: SiteImplementation, root: string): Html {
  const name =
    profile === null
      ? html`<p>It has no profile; these options of its manifest describe how it decides.</p>`
      : html`<p>The profile <code>${profile}</code> decides as it does, in any scenario: <code>gateway: { profile: ${profile} }</code>. <a href="${root}docs/reference/profiles.html">Profiles</a></p>`;
  const proof = result?.limiter.proof ?? null;
  return html`${name}
${table(["option", "value"], options, "options")}
${proof === null ? html`<p>No comparison of the two is saved.</p>` : html`<p>Compared decision by decision: <a class="${proof.look}" href="#profile">${proof.sentence}</a>.</p>`}`;
}

function claimsHtml({ manifest: { claims }, result }: SiteImplementation): Html {
  const rows = Object.entries(claims).map(([behaviour, { holds, sentence, source }]) => {
    const cell = result?.limiter.cells.find((each) => each.behaviour === behaviour);
    const verdict = cell === undefined ? null : (result?.part.verdicts[cell.verdict] ?? null);
    return [
      verdict === null
        ? behaviourWords(behaviour)
        : html`<a href="#${behaviour}">${behaviourWords(behaviour)}</a>`,
      html`${holds ? "promised" : "excluded"}: “${sentence}” <span class="soft">${source}</span>`,
      verdict === null ? "not run" : html`<span class="${verdict.look}">${verdict.meaning}</span>`,
    ] as const;
  });
  if (rows.length === 0)
    return html`<p>Its manifest quotes no sentence of its documentation about a behaviour.</p>`;
  return table(["behaviour", "documentation", "verdict"], rows, "claims");
}

function badgeHtml({ id, result }: SiteImplementation, root: string): Html {
  const text = badgeText(result?.counts ?? null);
  const file = `${id.slice(id.lastIndexOf("/") + 1)}.svg`;
  return html`<p><img src="${file}" alt="weir ${id}: ${text}"></p>
<p class="soft">An image next to this page, at <code>${pathOfBadge(id)}</code>. It is written anew with each build of <a href="${root}">the site</a>.</p>`;
}
