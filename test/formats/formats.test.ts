// Files that version 0.1.0 wrote, and today's readers of them: docs/reference/formats.md has the promise. A new version adds
// a folder with its own files; a folder is deleted when its version is no longer the one before.
import { copyFileSync, globSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { readPageDocument, RENDERED_FORMATS } from "#src/cli/page-documents.node.ts";
import { isFailure } from "#src/kit/reading/failure.ts";
import { readInconclusiveList } from "#src/lab/run/known-inconclusive.ts";
import { HISTORY_FORMAT } from "#src/lab/scenario/history.ts";
import { readConformance } from "#src/show/conformance/read-conformance.ts";
import { folderWith, weir } from "../cli/weir.ts";
import { listBreaks, listOperations, type Operations } from "./operations.ts";

const LAST = join(import.meta.dirname, "0.1.0");
const documents = join(LAST, "documents");

const textOf = (name: string): string => readFileSync(join(LAST, name), "utf8");
const formatOf = (text: string): string => (JSON.parse(text) as { readonly format: string }).format;

test("the scenarios of the last version pass, as they did there", async () => {
  const { code, out } = await weir(LAST, ["run", "scenarios", "--quiet"]);
  expect(code).toBe(0);
  const before = readConformance(textOf("documents/conformance.json"));
  if (isFailure(before)) throw new Error(before.message);
  expect(out).toMatch(new RegExp(`^${before.footer.passed} passed, 0 failed, 0 skipped$`, "m"));
});

test("the histories of the last version have the verdicts that they had there", async () => {
  const histories = globSync("histories/**/*.ndjson", { cwd: LAST });
  const { code, out } = await weir(LAST, ["check", "histories", "--quiet"]);
  expect(out).toMatch(new RegExp(`^${histories.length} passed, 0 failed, 0 skipped$`, "m"));
  expect(code).toBe(0);
});

const rendered = ["bench", "compare", "implementations-run", "pareto", "report", "truth"];

test.each(rendered)("the document %s of the last version is read", (name) => {
  const read = readPageDocument(join(documents, `${name}.json`));
  expect(isFailure(read) ? read.message : "read").toBe("read");
});

test("the list of open variants of the last version is read", () => {
  const list = readInconclusiveList(textOf("documents/inconclusive.json"));
  expect(isFailure(list) ? list.message : list.format).toBe("weir-inconclusive/1");
});

test("the records of the last version are opened, and are the same world", async () => {
  const folder = folderWith({ "weir.yaml": "world: world.yaml\nupstream: echo\n" });
  const records = join(folder, ".weir");
  mkdirSync(records, { mode: 0o700 });
  const packed = readFileSync(join(LAST, "records/weir.db.gz"));
  writeFileSync(join(records, "weir.db"), gunzipSync(packed), { mode: 0o600 });
  writeFileSync(join(records, "key"), textOf("records/key"), { mode: 0o600 });
  expect((await weir(folder, ["export"])).out).toBe(textOf("records/world.yaml"));
  copyFileSync(join(LAST, "records/world.yaml"), join(folder, "world.yaml"));
  const { out } = await weir(folder, ["config"]);
  expect(out).toContain("world.yaml: 1 API, 1 policy and 1 key");
});

test("a client of the management APIs of the last version goes on", () => {
  const before = JSON.parse(textOf("operations.json")) as Operations;
  expect(Object.keys(before).length).toBeGreaterThan(40);
  expect(listBreaks(before, listOperations())).toEqual([]);
});

test("an operation breaks a client if it, a field or a status is gone, or if a field becomes required", () => {
  const own = { accepts: ["id", "name"], requires: ["id"], returns: { "200": ["id", "rate"] } };
  const before = { "GET /a": own, "POST /a": own };
  expect(listBreaks(before, { ...before, "PUT /a": own })).toEqual([]);
  const now = { accepts: ["id"], requires: ["id", "org"], returns: { "200": ["id"] } };
  expect(listBreaks(before, { "GET /a": now })).toEqual([
    "GET /a does not accept name",
    "GET /a requires org",
    "GET /a does not return rate with 200",
    "POST /a is gone",
  ]);
  const created = { ...own, returns: { "201": ["id", "rate"] } };
  expect(listBreaks({ "GET /a": own }, { "GET /a": created })).toEqual([
    "GET /a does not return 200",
  ]);
});

test("the page has the formats of today, and each of them has a file of the last version", () => {
  const page = readFileSync(join(LAST, "../../../docs/reference/formats.md"), "utf8");
  const onPage = [...page.matchAll(/^\|.*`(weir-[a-z-]+\/\d+)`/gm)].map(([, name = ""]) => name);
  const compared = ["conformance", "inconclusive"].map((name) =>
    formatOf(textOf(`documents/${name}.json`)),
  );
  expect(onPage.toSorted()).toEqual([HISTORY_FORMAT, ...RENDERED_FORMATS, ...compared].toSorted());
  const saved = rendered.map((name) => formatOf(textOf(`documents/${name}.json`)));
  expect(saved.toSorted()).toEqual(RENDERED_FORMATS.toSorted());
});
