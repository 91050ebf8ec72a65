import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readPartSuite } from "#src/studies/bench/parts/read-part-suite.ts";
import { kindOf } from "#src/studies/bench/read-suite-file.ts";
import { ALGORITHMS } from "#src/limiter/core/algorithms.ts";
import { isFailure, requireValue } from "#src/kit/reading/failure.ts";
import { TINY_PARTS } from "./tiny-parts.ts";

const folder = join(import.meta.dirname, "../../../../bench");
const shipped = readdirSync(folder)
  .filter((file) => file.endsWith(".yaml"))
  .map((file) => [file, readFileSync(join(folder, file), "utf8")] as const)
  .filter(([, text]) => kindOf(text) === "parts");

const read = (file: string, text: string, isQuick = false) => {
  const hasProgram = (program: string): boolean =>
    text === TINY_PARTS ? program.endsWith(".mjs") : existsSync(join(folder, program));
  return requireValue(readPartSuite(file, text, { isQuick, hasProgram }));
};

const errorsIn = (text: string): readonly string[] => {
  const suite = readPartSuite("tiny.yaml", text, {
    isQuick: false,
    hasProgram: (program) => program.endsWith(".mjs"),
  });
  return isFailure(suite) ? suite.problems : [];
};

test("Weir has a suite for each part, and each reads in full and in short", () => {
  const ids = ["core", "logs", "management", "queue", "records", "redis-store", "sim", "start"];
  expect(shipped.map(([file]) => file)).toEqual(ids.map((id) => `${id}.yaml`));
  for (const [file, text] of shipped) {
    expect(read(file, text).cases.length).toBeGreaterThan(0);
    expect(read(file, text, true).repeats).toBeLessThanOrEqual(3);
  }
});

test("the suite of the core measures a decision with every algorithm", () => {
  const [, text] = shipped.find(([file]) => file === "core.yaml")!;
  const byAlgorithm = read("core.yaml", text).cases.find(({ name }) => name === "algorithm")!;
  const algorithms = byAlgorithm.candidates.map(({ input }) => input["algorithm"]);
  expect(new Set(algorithms)).toEqual(new Set(ALGORITHMS));
});

test("a candidate adds its name and its own fields to the input of the case", () => {
  const { cases, gates } = read("tiny.yaml", TINY_PARTS);
  const [small, large] = cases;
  expect(small!.candidates).toEqual([
    { name: "ours", role: "cell", program: "value.mjs", input: inputOf("ours", 10) },
    { name: "theirs", role: "control", program: "value.mjs", input: inputOf("theirs", 50) },
    { name: "others", role: "control", program: "value.mjs", input: inputOf("others", 30) },
  ]);
  expect(large!.candidates[0]!.input).toEqual({ factor: 10, name: "ours", value: 5 });
  expect(gates).toEqual([{ cell: "ours", metric: "small" }]);
});

const inputOf = (subject: string, value: number) => ({ factor: 1, subject, value });

test("the suite on the page on single parts reads", () => {
  const page = readFileSync(join(folder, "../docs/inside/single-parts.md"), "utf8");
  const [, text = ""] = /```yaml\n# bench\/copy\.yaml\n([^`]*)```/.exec(page)!;
  const suite = readPartSuite("copy.yaml", text, { isQuick: false, hasProgram: () => true });
  expect(suite).toMatchObject({ id: "copy", repeats: 5 });
});

test("a short run has its cases and inputs, and no gate of another case", () => {
  const { cases, gates } = read("tiny.yaml", TINY_PARTS, true);
  expect(cases.map(({ name }) => name)).toEqual(["large"]);
  expect(cases[0]!.candidates[0]!.input).toMatchObject({ factor: 100, value: 5 });
  expect(gates).toEqual([]);
});

test.each([
  ["id: tiny", "id: big", '1:5 error BENCH-VALUE "big" is not the name of the file; write tiny'],
  ["prepare.mjs", "prepare.ts", "5:21 error BENCH-VALUE there is no program prepare.ts"],
  ["value.mjs", "gone.ts", "13:14 error BENCH-VALUE there is no program gone.ts"],
  [
    "control: theirs",
    "control: their",
    '20:14 error BENCH-NAME no candidate of small is called "their"',
  ],
  [
    "against: [theirs]",
    "against: [our]",
    '22:33 error BENCH-NAME no candidate of small is called "our"',
  ],
  ["{ cell: ours, value: 20 }", "{ cell: ours }", "25:9 error BENCH-VALUE this target is neither"],
  [
    "others: { value",
    "ours: { value",
    '19:13 error BENCH-DUPLICATE-NAME "ours" is a candidate too',
  ],
  ["cases: [large]", "cases: [larger]", '7:18 error BENCH-NAME there is no case "larger"'],
  ["metric: small", "metric: smal", '38:27 error BENCH-NAME there is no case "smal"'],
  [
    "gates:\n  - { cell: ours",
    "gates:\n  - { cell: theirs",
    "38:13 error BENCH-NAME no candidate of small",
  ],
  ["repeats: 3", "repeats: 0", "6:10 error BENCH-VALUE 0 is not an integer from 1 to 1000"],
])("%s as %s is an error with its position", (from, to, error) => {
  const [first = ""] = errorsIn(TINY_PARTS.replace(from, to));
  expect(first).toContain(`tiny.yaml:${error}`);
});
