// The playground before its script starts: the examples, an empty timeline, the form, and empty elements for all results.
import { html, type Html } from "../html/html.ts";
import { compareHtml } from "./compare-html.ts";
import type { SiteExample } from "./examples.ts";
import { FORM_CHOICES, FORM_NUMBERS, USUAL_STATE, fieldsInUse } from "./form.ts";
import { logFormHtml } from "./home/own-html.ts";
import type { SitePage } from "./shell.ts";
import { timelineHtml } from "./timeline/timeline-html.ts";

/** An example with the image of its run. */
export interface PicturedExample extends SiteExample {
  readonly picture: Html;
}

const examplesHtml = (examples: readonly PicturedExample[]): Html =>
  html`<section class="examples live" aria-label="Examples"><ul>${examples.map(
    ({ id, name, picture }) =>
      html`<li><button type="button" data-example="${id}" aria-pressed="false">${picture}<span>${name}</span></button></li>`,
  )}</ul></section>`;

const used = fieldsInUse(USUAL_STATE);

const formHtml = (): Html =>
  html`<form id="form"><fieldset><legend class="sr">Limiters and traffic</legend>${FORM_CHOICES.map(
    ({ name, label, groups, usual }) =>
      html`<label data-field="${name}"><span>${label}</span><select name="${name}">${groups.map(
        ({ title, names }) => {
          const options = names.map(
            (each) => html`<option${each === usual && html` selected`}>${each}</option>`,
          );
          return title === null
            ? html`${options}`
            : html`<optgroup label="${title}">${options}</optgroup>`;
        },
      )}</select></label>`,
  )}${FORM_NUMBERS.map(
    ({ name, label, unit, least, most, step, usual }) =>
      html`<label data-field="${name}"${!used.has(name) && html` hidden`}><span>${label} <output for="form-${name}">${`${usual} ${unit}`.trim()}</output></span><input type="range" id="form-${name}" name="${name}" min="${least}" max="${most}" step="${step}" value="${usual}"></label>`,
  )}</fieldset></form>
<p class="notice" id="no-form" hidden>This scenario has parts for which the form has no field. <button type="button" id="to-form">Begin with the form again</button></p>`;

const TABS = [
  ["form", "Form"],
  ["yaml", "YAML"],
] as const;

const contents = (examples: readonly PicturedExample[]): Html => html`<h1 class="sr">Playground</h1>
<noscript><p class="notice">The playground runs Weir in this page, which needs JavaScript. <code>weir run FILE</code> runs the same scenarios in a terminal.</p></noscript>
<div class="playground" id="playground">
${examplesHtml(examples)}
<section class="watch" aria-labelledby="watch"><h2 class="sr" id="watch">Timeline</h2>
<div class="row live"><p id="state" role="status">The playground starts.</p><button type="button" id="stop" hidden>Stop</button><button type="button" id="save">Save</button><button type="button" id="share">Copy address</button></div>
<ul id="problems" class="problems" hidden></ul>
${timelineHtml()}
</section>
<section class="write live" aria-labelledby="write"><h2 class="sr" id="write">Scenario</h2>
<div class="row"><div role="tablist" aria-label="Scenario" class="tabs">${TABS.map(
  ([id, name], index) =>
    html`<button type="button" role="tab" id="tab-${id}" aria-controls="panel-${id}" aria-selected="${index === 0 ? "true" : "false"}" tabindex="${index === 0 ? 0 : -1}">${name}</button>`,
)}</div><label>Seed <input id="seed" type="number" min="0" step="1" value="1" inputmode="numeric"></label></div>
<div role="tabpanel" id="panel-form" aria-labelledby="tab-form" class="form">${formHtml()}</div>
<div role="tabpanel" id="panel-yaml" aria-labelledby="tab-yaml" hidden><div id="editor"></div>
<p class="soft hint">Ctrl-Space completes a name. Point at a name to read what it does.</p></div>
</section>
<section class="read" aria-labelledby="read"><h2 class="sr" id="read">Result</h2>
<details class="live" id="report"><summary>Verdicts, charts and numbers</summary><div id="result"></div></details>
${compareHtml()}
${logFormHtml("Replay a log: drop it on this page", false)}
<details class="live"><summary>Digests of the histories</summary><p>The first 16 digits of SHA-256 of each history, computed when this is open. <code>weir run FILE --reference digests.json --write</code> writes the same for the saved file with the same seed.</p><ul id="digests"></ul></details>
</section>
</div>`;

export const playgroundPage = (examples: readonly PicturedExample[]): SitePage => ({
  path: "playground/index.html",
  place: "Playground",
  title: "Weir playground",
  about:
    "Choose limits and traffic, and see what is admitted, refused and why: Weir's own code runs in this page.",
  scripts: ["playground.js"],
  contents: contents(examples),
});
