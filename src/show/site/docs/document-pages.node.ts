// The documentation as pages of the site: the files in docs/ and the root, unchanged.
import { existsSync, globSync, readFileSync } from "node:fs";
import { dirname, join, posix } from "node:path";
import { fragmentOf } from "../address.ts";
import type { SitePage } from "../shell.ts";
import { decode } from "../../../lab/scenario/read/decode.ts";
import { documentPage, indexPage, type DocumentEntry, type SearchEntry } from "./document-page.ts";
import { readMarkdown, type MarkdownLinks, type MarkdownPage } from "./markdown.ts";
import { redirectPages } from "./redirect-pages.ts";

export interface DocumentSite {
  readonly pages: readonly SitePage[];
  readonly found: readonly SearchEntry[]; // entries of the search
  /** Image files of pages, by path from the project root, which is also their path on the site. */
  readonly images: readonly string[];
}

const SOURCES = [
  "README.md",
  "ARCHITECTURE.md",
  "CHANGELOG.md",
  "CONTRIBUTING.md",
  "SECURITY.md",
  "docs/**/*.md",
];

/** Matches a group or a row of the README, where each group has a table of its pages in reading order. */
const GROUP_OR_ROW = /^### (.+)$|^\| \[([^\]]+)\]\(([^)]+\.md)\) +\| (.+?) +\|$/gm;

export async function documentPages(root: string): Promise<DocumentSite> {
  const read = (file: string): string => readFileSync(join(root, file), "utf8");
  const files = globSync([...SOURCES], { cwd: root })
    .map((file) => file.replaceAll("\\", "/"))
    .toSorted();
  const images = new Set<string>();
  const documents = new Map<string, MarkdownPage>();
  for (const file of files) {
    const text = read(file);
    const fragments = await fragmentsIn(file, text, root);
    documents.set(file, readMarkdown(text, linksOf(file, files, fragments, images)));
  }
  const entries = entriesOf(read("README.md"));
  const pages = files.map((file) => documentPage(documents.get(file)!, pathOf(file), entries));
  const found = files.flatMap((file) => {
    const { title, pieces } = documents.get(file)!;
    return pieces.map(({ title: heading, ...piece }) => ({
      path: pathOf(file),
      page: title,
      heading,
      ...piece,
    }));
  });
  const moved = redirectPages(
    new Map([...documents].map(([file, { headings }]) => [pathOf(file), headings])),
  );
  return { pages: [indexPage(entries), ...pages, ...moved], found, images: [...images] };
}

function entriesOf(readme: string): readonly DocumentEntry[] {
  let group = "";
  const entries: DocumentEntry[] = [];
  for (const [, heading, name = "", file = "", about = ""] of readme.matchAll(GROUP_OR_ROW))
    if (heading !== undefined) group = heading;
    else
      entries.push({
        name,
        path: pathOf(file),
        about: readMarkdown(about, NO_LINKS).about,
        group,
      });
  return entries;
}

const NO_LINKS: MarkdownLinks = { addressOf: () => null, playgroundOf: () => null };

/** The path of a page on the site. Names of files at the root become lower case, as in addresses. */
function pathOf(file: string): string {
  const page = file.replace(/(^|\/)README\.md$/, "$1index.md").replace(/\.md$/, ".html");
  if (file === "README.md") return "first-steps.html";
  return page.includes("/") ? page : page.toLowerCase();
}

function linksOf(
  file: string,
  files: readonly string[],
  fragments: ReadonlyMap<string, string>,
  images: Set<string>,
): MarkdownLinks {
  const here = posix.dirname(pathOf(file));
  const toPlayground = (fragment: string): string =>
    `${posix.relative(here, "playground")}/${fragment}`;
  return {
    addressOf: (to) => {
      if (/^(?:https?:|#)/.test(to)) return to;
      const [path = "", hash] = to.split("#");
      const target = posix.join(posix.dirname(file), path);
      const anchor = hash === undefined ? "" : `#${hash}`;
      if (files.includes(target)) return `${posix.relative(here, pathOf(target))}${anchor}`;
      const fragment = fragments.get(target);
      if (fragment !== undefined) return toPlayground(fragment);
      if (!/\.(?:svg|png)$/.test(target)) return null;
      images.add(target);
      return posix.relative(here, target);
    },
    playgroundOf: (code) => {
      const fragment = fragments.get(code);
      return fragment === undefined ? null : toPlayground(fragment);
    },
  };
}

/** Fragments for scenarios: by file if the page links to the file, by text if the page contains the scenario. */
async function fragmentsIn(
  file: string,
  text: string,
  root: string,
): Promise<ReadonlyMap<string, string>> {
  const fragments = new Map<string, string>();
  for (const [, to = ""] of text.matchAll(/\]\(([^)#]*\.yaml)\)/g)) {
    const target = posix.join(dirname(file), to);
    if (!target.startsWith("scenarios/") || !existsSync(join(root, target))) continue;
    const scenario = readFileSync(join(root, target), "utf8");
    fragments.set(target, await fragmentOf({ file: target, text: scenario, seed: 1 }));
  }
  const name = `${posix.basename(file, ".md").toLowerCase()}.yaml`;
  for (const [, code = ""] of text.matchAll(/^```yaml\n([\s\S]*?)\n```$/gm))
    if (decode(name, code).scenario !== null)
      fragments.set(code, await fragmentOf({ file: name, text: `${code}\n`, seed: 1 }));
  return fragments;
}
