// The table of verdicts has the saved proof of each implementation, on a terminal and on a page.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { plainPaint } from "#src/kit/reading/legible.ts";
import { footerOf, type ImplementationsRun } from "#src/studies/implementations/result.ts";
import { runPart } from "#src/studies/implementations/run-part.ts";
import { readSavedProofs } from "#src/studies/implementations/saved-proofs.node.ts";
import { tableText } from "#src/studies/implementations/table.ts";
import { partOfLimiters } from "#src/show/html/limiters.ts";

const SAVED = "../../../reports/implementations/proofs/governor.json";
const folder = mkdtempSync(join(tmpdir(), "weir-proofs-"));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function save(name: string, change: (text: string) => string = (text) => text): void {
  mkdirSync(folder, { recursive: true });
  const text = readFileSync(join(import.meta.dirname, SAVED), "utf8");
  writeFileSync(join(folder, `${name}.json`), change(text));
}

const { version } = (
  JSON.parse(readFileSync(join(import.meta.dirname, SAVED), "utf8")) as {
    readonly implementations: readonly [{ readonly version: string }];
  }
).implementations[0];

const implementations: ImplementationsRun["implementations"] = ["governor", "other"].map((id) => ({
  id,
  name: id,
  version,
  kind: "decide",
  language: "rust",
  clock: "virtual-forward",
  missing: null,
  verdicts: [],
}));

const run: ImplementationsRun = {
  format: "weir-implementations-run/1",
  weir: "1.0.0",
  commit: null,
  date: "2026-11-24T00:00:00.000Z",
  seed: 1,
  behaviours: [],
  implementations,
  footer: footerOf(implementations),
};

const tableOf = (): readonly string[] =>
  tableText(
    run,
    { paint: plainPaint, width: Number.POSITIVE_INFINITY, hasLegend: false },
    readSavedProofs(folder, implementations),
  );

const pageOf = (): string =>
  String(
    partOfLimiters("a", runPart(run, readSavedProofs(folder, implementations))).html(new Map()),
  );

test("a column has the verdict of the proof, and a line its file", () => {
  save("governor");
  const lines = tableOf();
  expect(lines[0]).toMatch(/^implementation +version +clock +profile$/);
  expect(lines[1]).toMatch(/^governor .* proved *$/);
  expect(lines[2]!.trim()).toMatch(/^other .*virtual-forward$/);
  const written = lines.filter((line) => line.startsWith("profile of "));
  expect(written).toHaveLength(1);
  expect(written[0]).toMatch(
    /^profile of governor: proved: \d+ decisions of 1000 worlds, \d+ of them open \(.*governor\.json\)$/,
  );
});

test("marks have a footnote, and with --legend a line for each behaviour and each mark", () => {
  const behaviours = ["first", "second"].map((id) => ({ id, title: `what ${id} is` }));
  const [one] = implementations;
  const verdicts = behaviours.map(({ id }) => ({
    behaviour: id,
    verdict: "holds" as const,
    evidence: [],
    sentence: null,
    source: null,
    again: "",
    confirmed: null,
  }));
  const all = [{ ...one!, verdicts }];
  const document = { ...run, behaviours, implementations: all, footer: footerOf(all) };
  const print = { paint: plainPaint, width: 34, hasLegend: false };
  const short = tableText(document, print);
  expect(short).toContain("1 first, 2 second");
  expect(short).toContain("+ holds");
  expect(Math.max(...short.slice(0, 6).map(({ length }) => length))).toBeLessThanOrEqual(34);
  const long = tableText(document, { ...print, hasLegend: true });
  expect(long).toContain("   2  second: what second is");
  expect(long).toContain("   X  contradicts its own documentation");
});

test("on a page a link leads to it", () => {
  save("governor");
  const page = pageOf();
  expect(page).toContain('href="#a-governor-profile"');
  expect(page).toContain('id="a-governor-profile"');
  expect(page).toContain("implementations prove governor");
  expect(page).not.toContain("a-other-profile");
});

test.each([
  ["no proof", () => undefined],
  [
    "a proof of another version",
    () => save("governor", (text) => text.replaceAll(version, `${version}9`)),
  ],
  ["a file that is no proof", () => save("governor", () => "{")],
  [
    "a proof that was changed",
    () => save("governor", (text) => text.replace('"proved": 1', '"proved": 2')),
  ],
])("%s is left out", (_, write) => {
  write();
  expect(tableOf()[0]).not.toContain("profile");
  expect(pageOf()).not.toContain("-profile");
});

test("on a narrow page the name of a variant can be below that of its folder", () => {
  const limiters = [{ ...implementations[0]!, id: "weir/fixed_window" }];
  const part = partOfLimiters("a", runPart({ ...run, implementations: limiters }, new Map()));
  expect(String(part.html(new Map()))).toContain("<b>weir/<wbr>fixed_window</b>");
});
