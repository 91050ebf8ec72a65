// The playground before its script starts: an introduction, the forms, and empty elements for all results.
import { html, type Html } from "../html/html.ts";
import { FORM_CHOICES, FORM_NUMBERS } from "./form.ts";
import { logFormHtml } from "./home/own-html.ts";
import { SITE_FAULTS } from "./with-fault.ts";
import type { SitePage } from "./shell.ts";

/** A scenario that the playground offers. */
export interface SiteExample {
  readonly id: string;
  readonly title: string;
}

/** The form. Closed at first: readers see its result, the scenario. */
const formHtml =
  (): Html => html`<details class="form live" id="drag"><summary>Choose and drag, without YAML</summary>
<form id="form">${FORM_CHOICES.map(
    ({ name, label, groups, usual }) =>
      html`<label><span>${label}</span><select name="${name}">${groups.map(({ title, names }) => {
        const options = names.map(
          (each) => html`<option${each === usual && html` selected`}>${each}</option>`,
        );
        return title === null
          ? html`${options}`
          : html`<optgroup label="${title}">${options}</optgroup>`;
      })}</select></label>`,
  )}${FORM_NUMBERS.map(
    ({ name, label, unit, least, most, step, usual }) =>
      html`<label><span>${label} <output for="form-${name}">${`${usual} ${unit}`.trim()}</output></span><input type="range" id="form-${name}" name="${name}" min="${least}" max="${most}" step="${step}" value="${usual}"></label>`,
  )}</form></details>`;

const faultsHtml = (): Html => html`<details class="form live"><summary>Let something fail</summary>
<form id="inject"><label class="wide"><span>At <output for="inject-at">0 s</output></span><input type="range" id="inject-at" min="0" max="10" step="0.1" value="0"></label>${SITE_FAULTS.map(
  ({ name }, index) => html`<button type="button" data-inject="${index}">${name}</button>`,
)}<label data-limits hidden><span>Limit</span><select name="limit"></select></label><label data-limits hidden><span>becomes, in requests</span><input type="number" name="rate" min="1" step="1" value="1"></label><button type="button" name="change" data-limits hidden>Change the limit</button></form></details>`;

/** Durations in seconds for showing a whole run; 0 shows the run for as long as its virtual time. */
const SPEEDS = [
  [5, "in 5 s"],
  [20, "in 20 s"],
  [60, "in 60 s"],
  [0, "as it happened"],
] as const;

const momentsHtml =
  (): Html => html`<details class="moments live" id="moments"><summary>Requests one by one</summary>
<div class="row"><label>Variant <select data-part="variant"></select></label></div>
<div class="marks" data-part="marks"><canvas role="img"></canvas><canvas aria-hidden="true"></canvas></div>
<p class="keys soft"><span>bar: admitted</span> <span>square: delayed</span> <span>dot: refused</span> <span>cross: rejected</span> <span>ring: lost</span></p>
<label class="wide"><span>Until <output data-part="now">0 s</output></span><input type="range" data-part="moment" min="0" max="1" step="1" value="0"></label>
<div class="row"><button type="button" data-part="back">Previous</button><button type="button" data-part="start">Start</button><button type="button" data-part="next">Next</button><button type="button" data-part="refusal">Next refusal</button><label>Speed <select data-part="speed">${SPEEDS.map(
    ([seconds, name]) => html`<option value="${seconds}">${name}</option>`,
  )}</select></label></div>
<p data-part="counts"></p>
<p><span data-part="request" aria-live="polite"></span> <button type="button" data-part="why" disabled>Why?</button></p>
<div data-part="reason" aria-live="polite"></div>
</details>`;

const contents = (examples: readonly SiteExample[]): Html => html`<h1 class="sr">Playground</h1>
<noscript><p class="notice">The playground runs Weir in this page, which needs JavaScript. <code>weir run FILE</code> runs the same scenarios in a terminal.</p></noscript>
<div class="playground" id="playground">
<section class="write" aria-labelledby="write"><h2 class="sr" id="write">Scenario</h2>
<div class="row live">
<label>Example <select id="example"><option value="">your own</option>${examples.map(
  ({ id, title }) =>
    html`<option value="${id}">${id.replace(/^examples\//, "")}: ${title}</option>`,
)}</select></label>
<label>Seed <input id="seed" type="number" min="0" step="1" value="1" inputmode="numeric"></label>
</div>
${formHtml()}
${faultsHtml()}
<div id="editor"></div>
<p class="soft hint live" id="hint">Ctrl-Space completes a name. Point at a name to read what it does.</p>
</section>
<section class="read" aria-labelledby="read"><h2 class="sr" id="read">Run</h2>
<div class="row live"><p id="state" role="status">The playground starts.</p><button type="button" id="stop" hidden>Stop</button><button type="button" id="save">Save</button><button type="button" id="share">Copy address</button></div>
<ul id="problems" class="problems" hidden></ul>
<div id="result"></div>
${momentsHtml()}
${logFormHtml("Replay a log: drop it on this page", false)}
<details class="live"><summary>Digests of the histories</summary><p>The first 16 digits of SHA-256 of each history, computed when this is open. <code>weir run FILE --reference digests.json --write</code> writes the same for the saved file with the same seed.</p><ul id="digests"></ul></details>
</section>
</div>`;

export const playgroundPage = (examples: readonly SiteExample[]): SitePage => ({
  path: "playground/index.html",
  place: "Playground",
  title: "Weir playground",
  about:
    "Write traffic and limits, and see what is admitted, refused and why: Weir's own code runs in this page.",
  scripts: ["playground.js"],
  contents: contents(examples),
});
