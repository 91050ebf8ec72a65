// The first page of the site: experiments to drag, two places for one's own files, and where to go on.
import { html, join, type Html } from "../../html/html.ts";
import { previewOfLanes, type PreviewRect } from "../previews/preview.ts";
import type { SitePage } from "../shell.ts";
import { experimentHtml, type RunExperiment } from "./experiment-html.ts";
import type { SiteExperiment } from "./experiments.ts";
import { ownHtml } from "./own-html.ts";
import type { ConfigurationWords } from "../read-configuration.ts";

export interface ShownExperiment {
  readonly experiment: SiteExperiment;
  readonly run: RunExperiment;
  readonly address: string; // its address in the playground
}

function previewOf({ experiment: { edge, shown }, run }: ShownExperiment): readonly PreviewRect[] {
  const at = edge === null ? null : (edge - shown.from) / (shown.to - shown.from);
  return previewOfLanes(run.lanes, at);
}

const MORE: readonly (readonly [path: string, name: string, about: string])[] = [
  [
    "playground/",
    "Playground",
    "write limits and traffic, and see what is admitted, refused and why.",
  ],
  ["algorithms/", "Algorithms", "how each one decides, its worst case and its costs."],
  [
    "implementations/",
    "Implementations",
    "which gateway or library keeps which promise, with the evidence.",
  ],
  [
    "docs/start/tutorial.html",
    "Tutorial",
    "in ten minutes from nothing to a limit, and the reason for it.",
  ],
  ["first-steps.html", "First steps", "from an installation to the first answer."],
  ["docs/", "Documentation", "scenarios, algorithms, gateways, logs and benchmarks."],
];

const moreHtml = (): Html =>
  html`<section class="more"><h2>Go on</h2><ul>${MORE.map(([path, name, about]) => html`<li><a href="${path}">${name}</a>: ${about}</li>`)}</ul></section>`;

export const homePage = (
  experiments: readonly ShownExperiment[],
  configuration: ConfigurationWords,
): SitePage => ({
  path: "index.html",
  place: null,
  title: "Weir, a laboratory for API rate limits",
  about: "Find out what a rate limit really does before your clients do.",
  scripts: ["home.js"],
  preview: previewOf(experiments[0]!),
  contents: html`<div class="home-page">
<p class="soft weir">A laboratory for API rate limits</p>
${join(
  experiments.map(({ experiment, run, address }, index) =>
    experimentHtml(experiment, run, address, index === 0 ? "h1" : "h2"),
  ),
  "\n",
)}
${ownHtml(configuration)}
${moreHtml()}
</div>`,
});
