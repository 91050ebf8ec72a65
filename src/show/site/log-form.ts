// The form for a log, of the playground and of the first page.
import { html, type Html } from "../html/html.ts";

export const logFormHtml = (
  summary: string,
  isOpen: boolean,
): Html => html`<details class="form live" id="logs"${isOpen && html` open`}><summary>${summary}</summary>
<form><label class="wide"><span>Access log, also packed by gzip; it stays in this browser</span><input type="file" name="log"></label>
<label><span>Limit: requests</span><input type="number" name="rate" min="1" step="1" value="100"></label>
<label><span>per seconds</span><input type="number" name="per" min="0.001" step="any" value="60"></label>
<label><span>of each client by</span><input name="key" value="ip" autocomplete="off" spellcheck="false"></label></form>
<pre tabindex="0" role="region" aria-live="polite" aria-label="Result of the replay"></pre><div data-charts></div></details>`;
