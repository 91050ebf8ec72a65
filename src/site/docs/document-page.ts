// One page of the documentation: all pages on the left, its own headings on the right, and a search above both.
import { html, join, type Html } from "../../report/html/html.ts";
import { rootFrom, type SitePage } from "../shell.ts";
import type { MarkdownPage } from "./markdown.ts";

/** A page in the list of all pages. */
export interface DocumentEntry {
  readonly name: string;
  readonly path: string;
  readonly about: string; // its subject
}

/** The text below one heading of a page, as the search has it. */
export interface SearchEntry {
  readonly path: string;
  readonly page: string;
  readonly id: string;
  readonly heading: string;
  readonly text: string;
}

const SCRIPT = "documents.js";

/** Fewer headings are seen at once. */
const WORTH_AN_OUTLINE = 3;

const SEARCH = html`<form class="search live" role="search" id="search"><label class="sr" for="sought">Search the documentation</label><input id="sought" type="search" placeholder="Search (press /)" autocomplete="off" spellcheck="false"><div id="found" hidden></div></form>`;

function listHtml(entries: readonly DocumentEntry[], path: string): Html {
  const root = rootFrom(path);
  const links = entries.map(
    ({ name, path: to }) =>
      html`<li><a href="${root}${to}"${to === path && html` aria-current="page"`}>${name}</a></li>`,
  );
  return html`<nav class="pages" aria-label="Documentation">${SEARCH}<details class="all-pages"><summary>All pages</summary><ul>${links}</ul></details></nav>`;
}

export function documentPage(
  { title, about, contents, headings }: MarkdownPage,
  path: string,
  entries: readonly DocumentEntry[],
): SitePage {
  const outlined = headings.filter(({ depth }) => depth === 2);
  const outline =
    outlined.length >= WORTH_AN_OUTLINE &&
    html`<nav class="outline" aria-label="On this page"><ul>${outlined.map(({ id, text }) => html`<li><a href="#${id}">${text}</a></li>`)}</ul></nav>`;
  return {
    path,
    place: "Documentation",
    title: `${title} · Weir`,
    about,
    script: SCRIPT,
    contents: html`<div class="documents">${listHtml(entries, path)}
<article>${contents}</article>
${outline}</div>`,
  };
}

export function indexPage(entries: readonly DocumentEntry[]): SitePage {
  const path = "docs/index.html";
  const root = rootFrom(path);
  const rows = entries.map(
    ({ name, path: to, about }) =>
      html`<li><a href="${root}${to}">${name}</a><span>${about}</span></li>`,
  );
  return {
    path,
    place: "Documentation",
    title: "Documentation · Weir",
    about: "All pages of the documentation of Weir, with their subjects.",
    script: SCRIPT,
    contents: html`<div class="documents">${listHtml(entries, path)}
<article><h1>Documentation</h1><p><a href="${root}first-steps.html">First steps</a> leads from an installation to the first answer.</p><ul class="entries">${join(rows, "\n")}</ul></article></div>`,
  };
}
