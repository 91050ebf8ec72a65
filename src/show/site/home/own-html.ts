// The two places of the first page for a reader's own files: a log, and the configuration of a limiter.
import { html, type Html } from "../../html/html.ts";
import { table } from "../../html/parts.ts";
import type { ConfigurationWords } from "../read-configuration.ts";

const HEADS = ["limit", "rule", "at worst", "in any", "line"];

/** The text before a reader writes another one. */
export const FIRST_CONFIGURATION = {
  file: "nginx.conf",
  text: `http {
  limit_req_zone $binary_remote_addr zone=login:10m rate=2r/s;
  server {
    listen 80;
    location /login { limit_req zone=login burst=20 nodelay; }
  }
}
`,
};

export const configurationWordsHtml = ({
  sentences: [first, ...others],
  rows,
}: ConfigurationWords): Html =>
  html`<p class="result">${first ?? ""}</p>${others.map((sentence) => html`<p>${sentence}</p>`)}${rows.length > 0 && table(HEADS, rows)}`;

/** The form for a log, which the playground has too. */
export const logFormHtml = (
  summary: string,
  isOpen: boolean,
): Html => html`<details class="form live" id="logs"${isOpen && html` open`}><summary>${summary}</summary>
<form><label class="wide"><span>Access log, also packed by gzip; it stays in this browser</span><input type="file" name="log"></label>
<label><span>Limit: requests</span><input type="number" name="rate" min="1" step="1" value="100"></label>
<label><span>per seconds</span><input type="number" name="per" min="0.001" step="any" value="60"></label>
<label><span>of each client by</span><input name="key" value="ip" autocomplete="off" spellcheck="false"></label></form>
<pre tabindex="0" role="region" aria-live="polite" aria-label="Result of the replay"></pre><div data-charts></div></details>`;

export const ownHtml = (first: ConfigurationWords): Html =>
  html`<section class="own" aria-labelledby="own"><h2 id="own">Now with your own</h2>
<p class="soft">Nothing leaves this browser.</p>
<div class="lanes">
<div class="drop" id="configuration"><h3>What does my configuration admit at worst?</h3>
<form class="live"><label><span>Drop a file here, or paste it: nginx, Envoy, HAProxy, Kong, Traefik and ten more</span><textarea name="text" rows="8" spellcheck="false" autocomplete="off">${FIRST_CONFIGURATION.text}</textarea></label>
<label><span class="sr">Configuration</span><input type="file" name="file"></label></form>
<noscript><pre>${FIRST_CONFIGURATION.text}</pre></noscript>
<div data-part="result" role="region" aria-live="polite" aria-label="What the configuration admits">${configurationWordsHtml(first)}</div>
<p class="soft">In a terminal: <code>weir worst --config FILE</code></p></div>
<div class="drop"><h3>Which clients would a limit have refused?</h3>
<p>Drop an access log anywhere on this page: its requests meet a limit under several algorithms.</p>
${logFormHtml("The log and the limit", true)}
<p class="soft">In a terminal: <code>weir replay FILE --limit 100/1m</code>, and <code>weir recommend FILE</code> finds the limit.</p></div>
</div></section>`;
