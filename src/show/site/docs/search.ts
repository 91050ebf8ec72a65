// The search of the site: from typed words to headings, in words of other people too.
import MiniSearch, { type Query, type SearchResult } from "minisearch";
import type { SearchEntry } from "./document-page.ts";

export type SearchHit = SearchResult & SearchEntry;

/** A match in a heading ranks higher, and one in the name of a page's file, which is often that of a command. */
const WEIGHTS = { heading: 4, page: 2, file: 3 };

/** Pages for those who develop Weir come after those for its users, and a page's beginning before its parts and rows. */
const FOR_DEVELOPERS = /^docs\/(?:decisions|inside|recipes)|^(?:architecture|contributing)/;
const WEIGHT_FOR_DEVELOPERS = 0.2;
const WEIGHT_OF_BEGINNING = 1.4;
const WEIGHT_OF_ROW = 0.4;

const MOST_FOUND = 12;
const MOST_OF_PAGE = 3;

/** Words without a subject. Questions have many, which no page repeats. */
const EMPTY = new Set(
  "a about an and any are at be between by can do does for from get give go have how i if in into is it its many me much my no not of on or our over set should so take than that the there they this to up use using vs was we what when where who will with you your".split(
    " ",
  ),
);

/** What people type, and the words that the pages have for it. */
const SYNONYMS: Readonly<Record<string, readonly string[]>> = {
  "429": ["refused", "refusals"],
  bot: ["scraper", "outliers"],
  choose: ["recommend"],
  ci: ["github", "gitlab"],
  ddos: ["worst", "flood"],
  database: ["records", "postgresql"],
  distributed: ["fleet", "gateways"],
  docker: ["install", "serving"],
  down: ["failures", "unreachable"],
  herd: ["retry", "retries"],
  https: ["tls"],
  instances: ["fleet", "gateways"],
  jitter: ["retries"],
  latency: ["benchmarking"],
  login: ["token", "security"],
  monitoring: ["metrics", "observing"],
  nodes: ["fleet", "gateways"],
  outage: ["failures", "unreachable"],
  performance: ["benchmarking"],
  plan: ["policy"],
  policies: ["merge", "merging"],
  prometheus: ["metrics"],
  replicas: ["fleet", "gateways"],
  rollout: ["rolled"],
  scraper: ["outliers"],
  shadow: ["dry", "enforce"],
  simulate: ["try"],
  spike: ["burst"],
  ssl: ["tls"],
  storm: ["retry", "herd"],
  swagger: ["openapi"],
  throttle: ["smoothing", "limit"],
  throttled: ["refused"],
  tier: ["policy"],
  two: ["several", "merging"],
  which: ["recommend"],
  why: ["explain"],
};
const WEIGHT_OF_SYNONYM = 0.5;

/** Builds the search. Pure: the same entries and words always find the same. */
export function buildSearch(
  entries: readonly SearchEntry[],
): (words: string) => readonly SearchHit[] {
  const index = new MiniSearch<SearchEntry>({
    idField: "key",
    fields: ["heading", "page", "file", "text"],
    storeFields: ["path", "page", "id", "heading", "text", "isRow"],
    extractField: (entry, name) =>
      name === "key"
        ? keyOf(entry)
        : name === "file"
          ? entry.path.replaceAll(/^docs\/|index\.html$|\.html$|[-/]/g, " ")
          : entry[name as keyof SearchEntry],
    tokenize: wordsAndParts,
    searchOptions: {
      tokenize: (term) => [term],
      boost: WEIGHTS,
      prefix: (term) => term.length > 2,
      fuzzy: (term) => (term.length > 4 ? 0.2 : false),
      boostDocument: (_, __, fields) => weightOf(fields as unknown as SearchEntry),
    },
  });
  index.addAll(entries);
  return (words) => {
    const terms = termsOf(words);
    if (terms.length === 0) return [];
    const seek = (combineWith: "AND" | "OR"): readonly SearchHit[] =>
      index.search({ combineWith, queries: terms.map(queryOf) }) as SearchHit[];
    const all = seek("AND");
    const known = new Set(all.map(keyOf));
    const some = terms.length === 1 ? [] : seek("OR").filter((each) => !known.has(keyOf(each)));
    return fewOfEachPage([...all, ...some]).slice(0, MOST_FOUND);
  };
}

function fewOfEachPage(found: readonly SearchHit[]): readonly SearchHit[] {
  const counts = new Map<string, number>();
  return found.filter(({ path }) => {
    const count = (counts.get(path) ?? 0) + 1;
    counts.set(path, count);
    return count <= MOST_OF_PAGE;
  });
}

function weightOf({ path, page, heading, isRow }: SearchEntry): number {
  const place = isRow === true ? WEIGHT_OF_ROW : heading === page ? WEIGHT_OF_BEGINNING : 1;
  return FOR_DEVELOPERS.test(path) ? place * WEIGHT_FOR_DEVELOPERS : place;
}

/** Rows of a table have the place of its heading, and a name of their own. */
const keyOf = ({ path, id, heading, text }: SearchEntry): string =>
  `${path}#${id} ${heading} ${text}`;

/** All words if each of them is empty: "what is it" finds something too. */
function termsOf(words: string): readonly string[] {
  const all = wordsOf(words.toLowerCase());
  const full = all.filter((word) => !EMPTY.has(word));
  return full.length === 0 ? all : full;
}

const wordsOf = (text: string): readonly string[] =>
  text.split(/[^\p{L}\p{N}_]+/u).filter((word) => word !== "");

/** Names such as drl_threshold are found whole and by their parts. */
const wordsAndParts = (text: string): string[] =>
  wordsOf(text).flatMap((word) => (word.includes("_") ? [word, ...word.split("_")] : [word]));

function queryOf(term: string): Query {
  const synonyms = SYNONYMS[term] ?? SYNONYMS[term.replace(/s$/, "")] ?? [];
  return {
    combineWith: "OR",
    queries: [
      term,
      { combineWith: "OR", queries: [...synonyms], boostTerm: () => WEIGHT_OF_SYNONYM },
    ],
  };
}
