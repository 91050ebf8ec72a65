// The search finds what people type, in their words.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { COMMANDS } from "#src/cli/commands.ts";
import type { SearchEntry } from "#src/show/site/docs/document-page.ts";
import { buildSearch } from "#src/show/site/docs/search.ts";
import { BUILT_SITE, decodeSite } from "#src/show/site/site-files.node.ts";
import { entry } from "../../built.ts";

const files = decodeSite(readFileSync(join(entry(), "../../show/site", BUILT_SITE)));
const entries = JSON.parse(String(files.get("assets/search.json"))) as readonly SearchEntry[];
const find = buildSearch(entries);

test.each([
  ["retry storm", "docs/answer/replay.html#clients-that-retry"],
  ["thundering herd", "algorithms/retries.html#contents"],
  ["429 for no reason", "docs/answer/reading-results.html#read-a-run"],
  ["why was I throttled", "docs/answer/reading-results.html#why-was-this-request-refused"],
  ["nginx burst", "implementations/nginx.html#contents"],
  ["two policies", "algorithms/merging.html#contents"],
  ["which limit should I set", "docs/answer/recommend.html#recommend-a-limit"],
  ["access logs", "docs/answer/replay.html#from-an-access-log-to-a-limit"],
  ["how do I install it", "docs/start/tutorial.html#1-install-it"],
  ["redis is down", "docs/serve/fleets.html#failures"],
  ["sliding window", "algorithms/sliding-window-counter.html#contents"],
  ["token bucket", "algorithms/token-bucket.html#contents"],
  ["github actions", "docs/answer/in-ci.html#github"],
  ["compare two configurations", "docs/answer/diff.html#a-change-before-it-is-rolled-out"],
  ["ddos", "docs/answer/worst-case.html#worst-cases"],
  ["a scraper", "docs/answer/recommend.html#leave-the-outliers-out"],
  ["fleet of gateways", "docs/serve/fleets.html#a-fleet-that-outlives-its-machines"],
  ["prometheus", "docs/serve/observing.html#metrics"],
  ["clock skew", "docs/reference/scenario-traffic.html#clock-a-clock"],
  ["https certificate", "docs/serve/serving.html#tls"],
  ["vitest", "docs/reference/library.html#weir-as-a-library"],
  ["exit code", "docs/answer/try.html#exit-codes"],
  ["envoy", "implementations/envoy.html#contents"],
  ["kong", "docs/reference/log-formats.html#read-any-log"],
  ["x-ratelimit-reset", "docs/answer/lint.html#dialects"],
  ["drl_threshold", "docs/reference/scenario-world.html#gateway-options"],
  ["WEIR_SECRETS_KEY", "docs/reference/settings.html#variables-and-options"],
])("%j finds %s first", (words, place) => {
  const [first] = find(words);
  expect(`${first?.path}#${first?.id}`).toBe(place);
});

/** Only pages for those who develop Weir have these, or none does: their help is enough. */
const WITHOUT_A_PAGE: readonly string[] = ["mutants", "version", "worker"];

test("a command finds a page that has it among the first three", () => {
  const missed = COMMANDS.flatMap(({ name }) => {
    if (WITHOUT_A_PAGE.includes(name)) return [];
    const paths = find(name)
      .slice(0, 3)
      .map(({ path }) => path);
    const has = paths.some((path) => String(files.get(path)).includes(`weir ${name}`));
    return has ? [] : [`${name}: ${paths.join(" ")}`];
  });
  expect(COMMANDS.length).toBeGreaterThan(20);
  expect(missed).toEqual([]);
});

test("a misspelt word, a word that has begun, and words that no page has together find something", () => {
  expect(find("benchmrking")[0]?.path).toBe("docs/serve/benchmarking.html");
  expect(find("playgr")[0]?.path).toBe("docs/start/playground.html");
  expect(find("burst of an unknownword")).not.toEqual([]);
  expect(find("how is it")).not.toEqual([]);
  expect(find("  ")).toEqual([]);
  expect(find("unknownword")).toEqual([]);
});

test("no page has more than three of the twelve places", () => {
  const found = find("lint"); // one page has twelve places for it
  expect(found).toHaveLength(12);
  const pages = Map.groupBy(found, ({ path }) => path);
  expect(Math.max(...[...pages.values()].map((places) => places.length))).toBe(3);
});
