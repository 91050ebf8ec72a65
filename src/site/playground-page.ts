// The playground before its script has begun: what it is for, and where everything will be.
import { html, type Html } from "../report/html/html.ts";
import type { SitePage } from "./shell.ts";

/** A scenario that the playground offers. */
export interface SiteExample {
  readonly id: string;
  readonly title: string;
}

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
<div id="editor"></div>
<p class="soft hint live" id="hint">Ctrl-Space completes a name. Point at a name to read what it does.</p>
</section>
<section class="read" aria-labelledby="read"><h2 class="sr" id="read">Run</h2>
<div class="row live"><p id="state" role="status">The playground starts.</p><button type="button" id="stop" hidden>Stop</button><button type="button" id="save">Save</button><button type="button" id="share">Copy address</button></div>
<ul id="problems" class="problems" hidden></ul>
<div id="result"></div>
<details class="live"><summary>Digests of the histories</summary><p>The first 16 digits of SHA-256 of each history. <code>weir run FILE --reference digests.json --write</code> writes the same for the saved file with the same seed.</p><ul id="digests"></ul></details>
</section>
</div>`;

export const playgroundPage = (examples: readonly SiteExample[]): SitePage => ({
  path: "playground/index.html",
  place: "Playground",
  title: "Weir playground",
  about:
    "Write traffic and limits, and see what is admitted, refused and why: Weir's own code runs in this page.",
  script: "playground.js",
  contents: contents(examples),
});
