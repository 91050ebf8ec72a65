import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { compare } from "#src/studies/bench/compare/compare.ts";
import { createEnding } from "#src/studies/bench/ending.node.ts";
import { markdownOf } from "#src/studies/bench/markdown.ts";
import { partResultOf } from "#src/studies/bench/parts/part-result.ts";
import type { PartMeasurement, PartSuite } from "#src/studies/bench/parts/part-suite.ts";
import { readPartSuite } from "#src/studies/bench/parts/read-part-suite.ts";
import { runParts, type PartsRun } from "#src/studies/bench/parts/run-parts.node.ts";
import { benchPart } from "#src/studies/bench/report/bench-part.ts";
import { readResult, type BenchResult } from "#src/studies/bench/result.ts";
import { tableLines } from "#src/studies/bench/table.ts";
import { endless, roundClock } from "#src/studies/bench/round-clock.ts";
import { requireValue } from "#src/kit/reading/failure.ts";
import { folderWith } from "../../../cli/weir.ts";
import { PLAIN, resultOf } from "../bench-results.ts";
import { TINY_PART_FILES, TINY_PARTS } from "./tiny-parts.ts";

const suiteOf = (text: string): PartSuite =>
  requireValue(readPartSuite("tiny.yaml", text, { isQuick: false, hasProgram: () => true }));

async function run(folder: string, text = TINY_PARTS, seed = 1, clock = endless) {
  const phases: string[] = [];
  const delays: string[] = [];
  const over = createEnding();
  const ran = await runParts({
    suite: suiteOf(text),
    folder,
    seed,
    ending: over,
    clock,
    onDelay: (sentence) => void delays.push(sentence),
    onPhase: (phase) => {
      phases.push(phase);
      if (phase.endsWith("hangs")) setTimeout(() => over.end(INTERRUPTED), 200);
    },
    onMeasured: () => {},
  });
  return { ...ran, phases, delays };
}

const INTERRUPTED = { how: "interrupted", why: "it was interrupted" } as const;

const circumstances = resultOf([], [], { suite: { id: "tiny", title: "Two cases", hash: "5f1e" } });
const documentOf = ({ measured }: { readonly measured: readonly PartMeasurement[] }): BenchResult =>
  partResultOf(suiteOf(TINY_PARTS), measured, {
    suite: circumstances.suite,
    startedAt: circumstances.startedAt,
    tookSeconds: 1,
    argv: ["bench", "tiny.yaml"],
    seed: 1,
    machine: circumstances.machine,
    stopped: null,
    warnings: [],
  });

let whole: PartsRun & { readonly phases: readonly string[] };
let result: BenchResult;
const folderOfAll = mkdtempSync(join(tmpdir(), "weir-parts-"));
beforeAll(async () => {
  for (const [name, text] of Object.entries(TINY_PART_FILES))
    writeFileSync(join(folderOfAll, name), text);
  whole = await run(folderOfAll);
  result = documentOf(whole);
});
afterAll(() => rmSync(folderOfAll, { recursive: true }));

test("each round measures every candidate of every case once, in an order of its own", () => {
  const [first, ...phases] = whole.phases;
  expect(first).toBe("preparing with prepare.mjs");
  const rounds = [0, 4, 8].map((from) => phases.slice(from, from + 4));
  for (const [index, round] of rounds.entries())
    expect(round.toSorted()).toEqual(
      ["large: ours", "small: others", "small: ours", "small: theirs"].map(
        (name) => `round ${index + 1} of 3, ${name}`,
      ),
    );
  const orders = rounds.map((round) => round.map((phase) => phase.split(", ")[1]).join());
  expect(new Set(orders).size).toBeGreaterThan(1);
});

test("a run without time for another round measures none, and reports a round that takes too long", async () => {
  let seconds = 0;
  const clock = roundClock(4, () => (seconds += 10), 60);
  const { measured, delays } = await run(folderOfAll, TINY_PARTS, 1, clock);
  expect(new Set(measured.map(({ round }) => round)).size).toBe(1);
  expect(delays).toEqual([]);
  const late = await run(
    folderOfAll,
    TINY_PARTS,
    1,
    roundClock(4, () => (seconds += 20), 60),
  );
  expect(late.delays).toHaveLength(1);
  expect(late.measured.length).toBeGreaterThan(0);
});

test("a cell of the result is a candidate, and a metric is a case", () => {
  expect(readResult(JSON.stringify(result))).toEqual(result);
  const values = result.cells.map(({ name, role, repeats }) => [
    name,
    role,
    repeats.map(({ metrics }) => metrics),
  ]);
  expect(values).toEqual([
    ["ours", "cell", [10, 20, 30].map((small) => ({ small, large: 5 * small }))],
    ["theirs", "control", [50, 100, 150].map((small) => ({ small }))],
    ["others", "control", [30, 60, 90].map((small) => ({ small }))],
  ]);
});

test("a table has the ratio of the medians to the control, and targets by the same medians", () => {
  expect(tableLines(result, PLAIN)).toEqual([
    "small: something small",
    "             ns  +-  x theirs",
    "  ours       20  10       0.2",
    "  (theirs)  100  50",
    "  (others)   60  30       0.6",
    "  target met: ours: at least 5 times as good as theirs; measured 5 (20 and 100 ns)",
    "  target not met: ours: at least 4 times as good as the best of theirs, others; measured 3 (20 and 60 ns)",
    "  target not met: theirs: within 2 times ours; measured 5 (100 and 20 ns)",
    "  target met: ours: at most 20 ns; measured 20 ns",
    "",
    "large: something large",
    "        1/s  +-  x ours",
    "  ours  100  50",
    "  target met: ours: at least 50 1/s; measured 100 1/s",
    "",
  ]);
});

test("Markdown and the report page have a table for each case", () => {
  const page = markdownOf(result);
  expect(page).toContain("**small: something small**\n\n|  | ns | ± | x theirs |\n");
  expect(page).toContain("- target not met: theirs: within 2 times ours");
  const { sections } = benchPart(result, null);
  expect(sections.map(({ title }) => title)).toEqual(["Cases, each with its control", "Legend"]);
  expect(sections[0]!.figures.map(({ title }) => title)).toEqual([
    "something small, small",
    "something large, large",
  ]);
  expect(sections[0]!.tables.map(({ folded }) => folded)).toEqual([
    "small: something small",
    "large: something large",
  ]);
});

test("two results compare by case, with the controls of the case alone", () => {
  const question = { minEffect: 0.03, alpha: 0.05, seed: 1 };
  const { gates, shown } = compare(result, result, question, []);
  expect(gates.map(({ cell, metric, relative }) => [cell, metric, relative.length])).toEqual([
    ["ours", "small", 2],
  ]);
  expect(shown.find(({ metric }) => metric === "large")).toMatchObject({
    cell: "ours",
    relative: [],
  });
});

test.each([
  ['console.log("nothing")', 'printed "nothing", and not {"value": NUMBER}'],
  ["console.log('{\"value\":null}')", 'printed "{\\"value\\":null}", and not'],
  ["throw new Error('it is broken')", "broken.mjs has ended with code 1: "],
  ["console.log('{\"value\":1}'); process.exitCode = 3", "broken.mjs has ended with code 3"],
  ["console.log('{\"value\":1}'); process.kill(process.pid, 'SIGKILL')", "broken.mjs has ended"],
])("a program with %s ends the run, and what was measured is kept", async (program, why) => {
  const folder = folderWith({ ...TINY_PART_FILES, "broken.mjs": program });
  const at = TINY_PARTS.lastIndexOf("value.mjs");
  const text = `${TINY_PARTS.slice(0, at)}broken.mjs${TINY_PARTS.slice(at + "value.mjs".length)}`;
  const { measured, stopped } = await run(folder, text);
  expect(stopped).toMatchObject({ how: "gone" });
  expect(stopped!.why).toContain(why);
  expect(documentOf({ measured }).metrics).toHaveProperty("small");
  expect(documentOf({ measured }).metrics).not.toHaveProperty("large");
});

test("a program that leaves itself out has no value and a reason, once for all rounds", async () => {
  const absent = "console.log(JSON.stringify({ leftOut: 'it is not installed' }))";
  const folder = folderWith({ ...TINY_PART_FILES, "absent.mjs": absent });
  const at = TINY_PARTS.lastIndexOf("value.mjs");
  const text = `${TINY_PARTS.slice(0, at)}absent.mjs${TINY_PARTS.slice(at + "value.mjs".length)}`;
  const { measured, leftOut, stopped } = await run(folder, text);
  expect([stopped, leftOut]).toEqual([null, ["ours is left out: it is not installed"]]);
  expect(new Set(measured.map(({ metric }) => metric))).toEqual(new Set(["small"]));
});

test("an interruption ends the program that runs, and leaves no folder behind", async () => {
  const folder = folderWith(TINY_PART_FILES);
  const { TMPDIR } = process.env;
  process.env["TMPDIR"] = folder;
  try {
    const { stopped } = await run(folder, TINY_PARTS.replaceAll("theirs", "hangs"));
    expect(stopped).toEqual(INTERRUPTED);
    expect(readdirSync(folder).toSorted()).toEqual(Object.keys(TINY_PART_FILES).toSorted());
  } finally {
    if (TMPDIR === undefined) delete process.env["TMPDIR"];
    else process.env["TMPDIR"] = TMPDIR;
  }
});
