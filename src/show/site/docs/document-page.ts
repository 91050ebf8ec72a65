// A page of the documentation: all pages on the left, its own headings on the right, and a search above both.
import { html, join, type Html } from "../../html/html.ts";
import { rootFrom, type SitePage, type SitePlace } from "../shell.ts";
import { slugOf, type MarkdownPage } from "./markdown.ts";

/** An entry in the list of pages. */
export interface DocumentEntry {
  readonly name: string;
  readonly path: string;
  readonly about: string; // subject of the page
  readonly group?: string; // what readers of this group want; unset if the section has no groups
}

/** The text below one heading of a page, or a row of a table, as indexed by the search. */
export interface SearchEntry {
  readonly path: string;
  readonly page: string;
  readonly id: string;
  readonly heading: string; // or the name that the row begins with
  readonly text: string;
  readonly isRow?: true;
}

/** The script for the search and the list of pages. */
export const DOCUMENTS_SCRIPT = "documents.js";

/** The fewest headings for which a page has an outline. */
const WORTH_AN_OUTLINE = 3;

export const SEARCH = html`<form class="search live" role="search" id="search"><label class="sr" for="sought">Search the site</label><input id="sought" type="search" placeholder="Search (press /)" autocomplete="off" spellcheck="false"><div id="found" hidden></div></form>`;

interface SectionPage {
  readonly path: string;
  readonly place: SitePlace;
  readonly entries: readonly Omit<DocumentEntry, "about">[]; // all pages of its section
  /** Headings of the page itself. */
  readonly headings: readonly { readonly id: string; readonly text: string }[];
}

/** Surrounds an article with the pages of its section before it, and its own headings after it. */
export function sectionHtml({ path, place, entries, headings }: SectionPage, article: Html): Html {
  const root = rootFrom(path);
  const lists = groupsOf(entries).map(([group, pages]) => {
    const links = pages.map(
      ({ name, path: to }) =>
        html`<li><a href="${root}${to}"${to === path && html` aria-current="page"`}>${name}</a></li>`,
    );
    return group === undefined
      ? html`<ul>${links}</ul>`
      : html`<p class="group">${group}</p><ul aria-label="${group}">${links}</ul>`;
  });
  const outline =
    headings.length >= WORTH_AN_OUTLINE &&
    html`<nav class="outline" aria-label="On this page"><ul>${headings.map(({ id, text }) => html`<li><a href="#${id}">${text}</a></li>`)}</ul></nav>`;
  return html`<div class="documents"><nav class="pages" aria-label="${place} pages">${SEARCH}<details class="all-pages"><summary>All pages</summary>${lists}</details></nav>
<article>${article}</article>
${outline}</div>`;
}

const groupsOf = <Entry extends { readonly group?: string }>(
  entries: readonly Entry[],
): readonly (readonly [group: string | undefined, entries: readonly Entry[]])[] => [
  ...Map.groupBy(entries, ({ group }) => group),
];

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
  const groups = groupsOf(entries).map(([text = "", pages]) => ({ text, id: slugOf(text), pages }));
  const lists = groups.map(
    ({ text, id, pages }) => html`<h2 id="${id}">${text}</h2>${entriesHtml(path, pages)}`,
  );
  return {
    path,
    place: "Documentation",
    title: "Documentation · Weir",
    about: "All pages of the documentation of Weir, with their subjects.",
    scripts: [DOCUMENTS_SCRIPT],
    contents: sectionHtml(
      { path, place: "Documentation", entries, headings: groups },
      html`<h1>Documentation</h1><p><a href="${root}first-steps.html">First steps</a> leads from an installation to the first answer, and the <a href="${root}docs/start/tutorial.html">tutorial</a> to a limit and the reason for it.</p>${lists}`,
    ),
  };
}
