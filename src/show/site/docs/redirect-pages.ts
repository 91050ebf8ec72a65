// Pages at old addresses: the documentation had no folders before 2026-11-30, and some of its pages were one page.
import { html } from "../../html/html.ts";
import { rootFrom, type SitePage } from "../shell.ts";
import type { MarkdownPage } from "./markdown.ts";

/** Pages that were split. An address without a heading, or with an unknown one, leads to the first part. */
const PARTS: Readonly<Record<string, readonly string[]>> = {
  benchmarking: [
    "serve/benchmarking",
    "answer/what-is-admitted",
    "inside/single-parts",
    "inside/performance",
    "reference/store-costs",
  ],
  implementations: ["answer/implementations", "reference/implementation-manifest"],
  management: ["serve/management", "reference/operations", "serve/records", "serve/webhooks"],
  reliability: ["serve/reliability", "serve/wire"],
  replay: ["answer/replay", "reference/log-formats"],
  "scenario-format": [
    "reference/scenario-format",
    "reference/scenario-world",
    "reference/scenario-traffic",
    "reference/scenario-expectations",
  ],
};

/** The script follows the link for the heading in the address. Without the script, the reader chooses a link. */
const SCRIPT = "moved.js";

/** A page at each old address, which has no folder: `docs/serving.html` leads to `docs/serve/serving.html`. */
export function redirectPages(
  headings: ReadonlyMap<string, MarkdownPage["headings"]>,
): readonly SitePage[] {
  return [...headings.keys()].flatMap((page) => {
    const [, name] = /^docs\/(?:start|answer|serve|reference|inside)\/(.+)\.html$/.exec(page) ?? [];
    if (name === undefined) return [];
    const path = `docs/${name}.html`;
    const parts = PARTS[name]?.map((part) => `docs/${part}.html`) ?? [page];
    const links = parts.flatMap((part, index) =>
      headings.get(part)!.map(({ id, text }, at) => {
        const heading = index + at === 0 ? "" : `#${id}`; // the first link is that of the page
        return html`<li><a href="${rootFrom(path)}${part}${heading}">${text}</a></li>`;
      }),
    );
    return {
      path,
      place: "Documentation",
      title: "A page that has moved · Weir",
      about: "This page of the documentation of Weir has another address.",
      scripts: [SCRIPT],
      contents: html`<h1>This page has moved</h1><ul>${links}</ul>`,
    };
  });
}
