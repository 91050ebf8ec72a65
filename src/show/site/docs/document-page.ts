// A page of the documentation: all pages on the left, its own headings on the right, and a search above both.
import { html, join, type Html } from "../../html/html.ts";
import { rootFrom, type SitePage, type SitePlace } from "../shell.ts";
import type { MarkdownPage } from "./markdown.ts";

/** An entry in the list of pages. */
export interface DocumentEntry {
  readonly name: string;
  readonly path: string;
  readonly about: string; // subject of the page
}

/** The text below one heading of a page, as indexed by the search. */
export interface SearchEntry {
  readonly path: string;
  readonly page: string;
  readonly id: string;
  readonly heading: string;
  readonly text: string;
}

/** The script for the search and the list of pages. */
export const DOCUMENTS_SCRIPT = "documents.js";

/** Fewer headings need no outline. */
const WORTH_AN_OUTLINE = 3;

export const SEARCH = html`<form class="search live" role="search" id="search"><label class="sr" for="sought">Search the site</label><input id="sought" type="search" placeholder="Search (press /)" autocomplete="off" spellcheck="false"><div id="found" hidden></div></form>`;

interface SectionPage {
  readonly path: string;
  readonly place: SitePlace;
  readonly entries: readonly Pick<DocumentEntry, "name" | "path">[]; // all pages of its section
  /** Headings of the page itself. */
  readonly headings: readonly { readonly id: string; readonly text: string }[];
}

/** Surrounds an article with the pages of its section before it, and its own headings after it. */
export function sectionHtml({ path, place, entries, headings }: SectionPage, article: Html): Html {
  const root = rootFrom(path);
  const links = entries.map(
    ({ name, path: to }) =>
      html`<li><a href="${root}${to}"${to === path && html` aria-current="page"`}>${name}</a></li>`,
  );
  const outline =
    headings.length >= WORTH_AN_OUTLINE &&
    html`<nav class="outline" aria-label="On this page"><ul>${headings.map(({ id, text }) => html`<li><a href="#${id}">${text}</a></li>`)}</ul></nav>`;
  return html`<div class="documents"><nav class="pages" aria-label="${place} pages">${SEARCH}<details class="all-pages"><summary>All pages</summary><ul>${links}</ul></details></nav>
<article>${article}</article>
${outline}</div>`;
}

/** The pages of a section with their subjects. */
export function entriesHtml(path: string, entries: readonly DocumentEntry[]): Html {
  const root = rootFrom(path);
  const rows = entries.map(
    ({ name, path: to, about }) =>
      html`<li><a href="${root}${to}">${name}</a><span>${about}</span></li>`,
  );
  return html`<ul class="entries">${join(rows, "\n")}</ul>`;
}

export function documentPage(
  { title, about, contents, headings }: MarkdownPage,
  path: string,
  entries: readonly DocumentEntry[],
): SitePage {
  const outlined = headings.filter(({ depth }) => depth === 2);
  return {
    path,
    place: "Documentation",
    title: `${title} · Weir`,
    about,
    scripts: [DOCUMENTS_SCRIPT],
    contents: sectionHtml({ path, place: "Documentation", entries, headings: outlined }, contents),
  };
}

export function indexPage(entries: readonly DocumentEntry[]): SitePage {
  const path = "docs/index.html";
  const root = rootFrom(path);
  return {
    path,
    place: "Documentation",
    title: "Documentation · Weir",
    about: "All pages of the documentation of Weir, with their subjects.",
    scripts: [DOCUMENTS_SCRIPT],
    contents: sectionHtml(
      { path, place: "Documentation", entries, headings: [] },
      html`<h1>Documentation</h1><p><a href="${root}first-steps.html">First steps</a> leads from an installation to the first answer, and the <a href="${root}docs/start/tutorial.html">tutorial</a> to a limit and the reason for it.</p>${entriesHtml(path, entries)}`,
    ),
  };
}
