// The first page of the site: what Weir is for, and where to start.
import { html } from "../html/html.ts";
import type { SitePage } from "./shell.ts";

export const HOME_PAGE: SitePage = {
  path: "index.html",
  place: null,
  title: "Weir, a laboratory for API rate limits",
  about: "Find out what a rate limit really does before your clients do.",
  scripts: [],
  contents: html`<div class="home-page">
<h1>Find out what a rate limit really does before your clients do</h1>
<p>Weir runs traffic against a rate-limiting gateway in virtual time: 30 hours of requests take seconds, and the same seed
gives the same result on every machine.</p>
<ul>
<li><a href="playground/">Playground</a>: write limits and traffic, and see what is admitted, refused and why, in this browser.</li>
<li><a href="algorithms/">Algorithms</a>: how each one decides, its worst case and its costs, with a limit to drag.</li>
<li><a href="implementations/">Implementations</a>: which gateway or library keeps which promise, with the evidence.</li>
<li><a href="docs/start/tutorial.html">Tutorial</a>: in ten minutes from nothing to a limit, and the reason for it.</li>
<li><a href="first-steps.html">First steps</a>: from an installation to the first answer.</li>
<li><a href="docs/">Documentation</a>: the format of scenarios, algorithms, gateways, logs and benchmarks.</li>
</ul>
</div>`,
};
