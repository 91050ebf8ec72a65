// `--html` of weir replay and weir recommend: when a page is saved, and what it lacks.
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { unpackColumn, type PackedColumn } from "#src/show/html/columns.ts";
import type { UnansweredRecommendation } from "#src/studies/recommend/result.ts";
import { entry } from "../built.ts";
import { sampleLogs } from "../docs/sample-logs.ts";
import { folderWith, weir } from "./weir.ts";

const LIMIT = ["--limit", "60/1m", "--algorithm", "sliding_log"];

/** The markup of a page, and the data that its script unpacks. */
function pageIn(folder: string, name = "page.html"): string {
  const text = readFileSync(join(folder, name), "utf8");
  const packed = /id="packed">([^<]*)</.exec(text)![1]!;
  const column = JSON.parse(gunzipSync(Buffer.from(packed, "base64")).toString()) as PackedColumn;
  return text + JSON.stringify(unpackColumn(column)[0]);
}

test.each([
  ["page.htm", /must end in \.html/],
  ["api.ndjson", /must end in \.html/],
  ["log.html", /another argument names this file/],
  ["folder.html", /this is a folder/],
])("--html %s is an error, and nothing is read", async (page, message) => {
  const log = sampleLogs["api.ndjson"]!;
  const folder = folderWith({ "api.ndjson": log, "log.html": log, "folder.html/a": "" });
  const file = page === "log.html" ? "log.html" : "api.ndjson";
  for (const args of [
    ["replay", file, ...LIMIT],
    ["recommend", file, "--per", "1m"],
  ]) {
    const { code, err, out } = await weir(folder, [...args, "--html", page]);
    expect(err).toMatch(message);
    expect(code).toBe(2);
    expect(out).toBe("");
  }
  expect(readFileSync(join(folder, "log.html"), "utf8")).toBe(log);
});

test("a page has what is missing: of standard input timelines, and of no request everything", async () => {
  const folder = folderWith({ ...sampleLogs, "empty.log": "" });
  const { status } = spawnSync(
    process.execPath,
    [entry(), "replay", "-", ...LIMIT, "--html", "page.html"],
    { cwd: folder, input: sampleLogs["api.ndjson"]! },
  );
  expect(status).toBe(0);
  const ofInput = pageIn(folder);
  expect(ofInput).toContain("Timelines are missing: they need logs that can be read twice");
  expect(ofInput).not.toContain('"kind":"timelines"');
  const none = ["--where", "path = /none", "--html", "none.html"];
  const { code, err } = await weir(folder, ["replay", "api.ndjson", ...LIMIT, ...none]);
  expect(err).toContain("no request is left");
  expect(code).toBe(2);
  expect(pageIn(folder, "none.html")).toContain("no request is left");
  // The page of an earlier run is not taken for the result of one that had none.
  const empty = ["replay", "empty.log", ...LIMIT, "--html", "none.html"];
  expect((await weir(folder, empty)).code).toBe(2);
  expect(existsSync(join(folder, "none.html"))).toBe(false);
});

test("a page has timelines of files, and no name of an anonymised client", async () => {
  const folder = folderWith(sampleLogs);
  const args = ["replay", "api.ndjson", ...LIMIT, "--html", "page.html"];
  await weir(folder, args);
  expect(pageIn(folder)).toMatch(/"kind":"timelines".*390 of 450 refused: 192\.0\.2\.10/);
  await weir(folder, [...args, "--anonymise"]);
  const anonymous = pageIn(folder);
  expect(anonymous).toMatch(/390 of 450 refused: client-[0-9a-f]{12}/);
  expect(anonymous).not.toMatch(/192\.0\.2\.10|198\.51\.100\.7|203\.0\.113\.1/);
});

test("a recommendation with --anonymise shows no client: not as text, on the page, in its files or in an error", async () => {
  const log = `${sampleLogs["api.ndjson"]!}${"192.0.2.10 and more\n".repeat(40)}`;
  const folder = folderWith({ "api.ndjson": log });
  const args = ["recommend", "api.ndjson", "--per", "1m", "--html", "page.html"];
  const textsOf = async (own: readonly string[], found: string): Promise<readonly string[]> => {
    const { code, out, err } = await weir(folder, [...args, ...own, "--out", found]);
    expect(code).toBe(2); // for the lines that cannot be read
    const hour = readFileSync(join(folder, found, "worst-hour.yaml"), "utf8");
    return [out, err, pageIn(folder), hour];
  };
  const address = /192\.0\.2\.|198\.51\.100\.|203\.0\.113\./;
  for (const text of await textsOf([], "named")) expect(text).toMatch(address);
  const anonymous = await textsOf(["--anonymise"], "anonymous");
  for (const text of anonymous) expect(text).not.toMatch(address);
  const [out, , page, hour] = anonymous;
  for (const text of [out, page, hour]) expect(text).toMatch(/client-[0-9a-f]{12}/);
});

test("the page of a recommendation begins with its sentences, also if there is none", async () => {
  const folder = folderWith(sampleLogs);
  const args = ["recommend", "api.ndjson", "--per", "1m", "--html", "page.html"];
  const { code } = await weir(folder, args);
  expect(code).toBe(0);
  const page = pageIn(folder);
  expect(page).toMatch(
    /<h1>Limit each client to \d+ per minute by a token bucket: only 192\.0\.2\.10 needs more; /,
  );
  for (const sentence of ["The limit refuses", "random draws of"]) expect(page).toContain(sentence);
  const drifting = [
    "--algorithm",
    "gcra",
    "--per",
    "1s",
    "--refuse-at-most",
    "0%",
    "--key",
    "none",
  ];
  const log = '{"time":"2026-01-05T10:00:00.000Z"}\n'.repeat(3);
  const other = folderWith({ "api.ndjson": log });
  const missed = await weir(other, [...args, ...drifting]);
  expect(missed.code).toBe(1);
  expect(pageIn(other)).toContain("<h1>No candidate meets the target");
});

test("the moving limit of each window begins at the recommended one", async () => {
  const folder = folderWith({ "access.log": sampleLogs["access.log"]! });
  const args = ["recommend", "access.log", "--per", "1m,1s", "--html", "page.html", "--json"];
  const { advice } = JSON.parse((await weir(folder, args)).out) as UnansweredRecommendation;
  const starts = [...pageIn(folder).matchAll(/"kind":"peaks".*?"start":(\d+)/gs)];
  expect(advice).toHaveLength(2);
  expect(starts.map(([, rate]) => Number(rate))).toEqual(advice.map(({ rate }) => rate));
});
