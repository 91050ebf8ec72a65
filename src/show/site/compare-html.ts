// The form of the playground that compares two configurations, before a script fills it.
import { html, type Html } from "../html/html.ts";
import type { ComparisonWords } from "./compare-configurations.ts";
import { POPULATION_NAMES } from "../../studies/try/populations.ts";

export type Side = "before" | "after";

export const SIDES: readonly { readonly side: Side; readonly title: string }[] = [
  { side: "before", title: "OLD" },
  { side: "after", title: "NEW" },
];

const filesHtml = (): Html =>
  html`${SIDES.map(
    ({ side, title }) =>
      html`<div class="drop"><label><span>${title}: drop a file here, or paste it</span><textarea name="${side}" rows="8" spellcheck="false" autocomplete="off"></textarea></label>
<label><span class="sr">File ${title}</span><input type="file" name="${side}-file"></label></div>`,
  )}`;

export const compareHtml = (): Html =>
  html`<details class="form live" id="compare"><summary>Compare two configurations: nginx, Envoy, HAProxy, Kong, Traefik and ten more</summary>
<form><div class="wide sides">${filesHtml()}</div>
<label><span>Clients</span><input type="number" name="clients" min="1" max="1000" step="1" value="10"></label>
<label><span>Requests a minute of each</span><input type="number" name="perMinute" min="0.1" step="any" value="60"></label>
<label><span>Spread</span><select name="population">${POPULATION_NAMES.map(
    (name) => html`<option${name === "random" && html` selected`}>${name}</option>`,
  )}</select></label>
<label><span>Request</span><input name="send" value="GET /" autocomplete="off" spellcheck="false"></label></form>
<p class="soft">Nothing leaves this browser. In a terminal, where a log has what your clients send: <code>weir diff OLD NEW --log FILE</code></p>
<div data-part="result" role="region" aria-live="polite" aria-label="Difference of the configurations"></div></details>`;

export const comparisonHtml = ({ sentences: [first, ...others], tables }: ComparisonWords): Html =>
  html`<p class="result">${first ?? ""}</p>${others.map((sentence) => html`<p>${sentence}</p>`)}${tables.length > 0 && html`<pre tabindex="0" role="region" aria-label="Tables">${tables.join("\n")}</pre>`}`;
