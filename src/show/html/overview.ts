// The list of all scenarios, which can be searched and filtered: first those that do not pass, then by folder.
import { isGood } from "../../lab/check/counts.ts";
import { WORST_FIRST } from "../result-text.ts";
import { OUTCOMES } from "../../lab/scenario/verdict.ts";
import type { Report, ScenarioReport, VariantReport } from "../../lab/report/model.ts";
import { html, join, type Html } from "./html.ts";
import { anchorOf, formatCount, folderOf, many, signOf } from "./parts.ts";
import { sparkHtml, sparkOf } from "./sparkline.ts";

interface Listed {
  readonly scenario: ScenarioReport;
  readonly index: number; // index in the report
}

export const isBad = ({ variants }: Pick<ScenarioReport, "variants">): boolean =>
  !variants.every(isGood);

/** Index of the variant that the page shows first: the worst; if several are equally bad, the first of these. */
export function worstVariant({ variants }: ScenarioReport): number {
  const rank = ({ outcome }: VariantReport): number =>
    outcome === "unsupported" ? OUTCOMES.length : OUTCOMES.indexOf(outcome);
  const ranks = variants.map(rank);
  return Math.max(0, ranks.indexOf(Math.min(...ranks)));
}

/** The scenarios in the order of the list. The sections of the page have the same order. */
export function inOrder(scenarios: readonly ScenarioReport[]): readonly Listed[] {
  const all = scenarios.map((scenario, index) => ({ scenario, index }));
  return [
    ...all.filter(({ scenario }) => isBad(scenario)),
    ...all.filter(({ scenario }) => !isBad(scenario)),
  ];
}

export function overviewHtml({ scenarios, requirements }: Report): Html {
  const listed = inOrder(scenarios);
  const groups = Map.groupBy(listed, ({ scenario }) =>
    isBad(scenario) ? "does not pass" : folderOf(scenario.id),
  );
  const variants = scenarios.flatMap((scenario) => scenario.variants);
  const outcomes = WORST_FIRST.filter((each) => variants.some(({ outcome }) => outcome === each));
  const algorithms = new Set(variants.flatMap((variant) => variant.algorithms));
  const tested = new Set(
    scenarios.flatMap(({ proves, variants: each }) => [
      ...proves,
      ...each.flatMap(({ verdicts }) => verdicts.flatMap((verdict) => verdict.proves)),
    ]),
  );
  const folders = new Set(scenarios.map(({ id }) => folderOf(id)));
  return html`<nav class="overview" aria-label="Scenarios">
<form class="live" role="search">
<label for="find">Search</label><input id="find" name="text" type="search" autocomplete="off" spellcheck="false" placeholder="words, files, ids, keys" title="Searches titles and texts, files and ids, requirements, variants, and world and traffic with their keys and flows" aria-keyshortcuts="/">
${select("outcome", "Outcome", outcomes)}
${select("folder", "Folder", [...folders])}
${select(
  "requirement",
  "Requirement",
  requirements.flatMap(({ id }) => (tested.has(id) ? [id] : [])),
)}
${select("algorithm", "Algorithm", [...algorithms].toSorted())}
<p class="hits"><output name="hits" aria-live="polite">${many(scenarios.length, "scenario")}</output> <button type="reset" hidden>Clear</button></p>
<p class="nothing" role="status" hidden>No scenario matches: remove a word, or clear the search.</p>
</form>
<div class="list" tabindex="0" role="region" aria-label="List of scenarios">
${join(
  [...groups].map(([name, members]) => groupHtml(name, members)),
  "\n",
)}
</div>
</nav>`;
}

const select = (name: string, label: string, values: readonly string[]): Html =>
  html`<label for="find-${name}">${label}</label><select id="find-${name}" name="${name}"><option value="">any</option>${values.map(
    (value) => html`<option>${value}</option>`,
  )}</select>`;

const groupHtml = (name: string, members: readonly Listed[]): Html =>
  html`<div class="group"><h3>${name} <span class="soft">${formatCount(members.length)}</span></h3><ul>${members.map(
    ({ scenario, index }) => {
      const { title, outcome, variants } = scenario;
      const variant = variants[worstVariant(scenario)];
      return html`<li data-listed="${index}"><a href="#${anchorOf(scenario)}"><i class="${outcome}" aria-hidden="true">${signOf(outcome)}</i>${outcome === "pass" ? null : html`<span class="sr">${outcome}: </span>`}<span>${title}</span>${sparkHtml(variant === undefined ? null : sparkOf(variant))}</a></li>`;
    },
  )}</ul></div>`;
