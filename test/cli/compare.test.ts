import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Ajv2020 } from "ajv/dist/2020.js";
import { expect, test } from "vitest";
import type { BenchResult } from "#src/studies/bench/result.ts";
import { EXIT } from "#src/cli/exit.ts";
import { cellOf, gate, resultOf } from "../studies/bench/bench-results.ts";
import { folderWith, weir } from "./weir.ts";

const around = (middle: number): readonly number[] =>
  Array.from({ length: 10 }, (_, at) => middle * (0.99 + 0.002 * at));
const run = (cpu: number, different: Partial<BenchResult> = {}): string =>
  JSON.stringify(
    resultOf([cellOf("base", { cpu: around(cpu), p99: around(4) })], [gate("cpu")], different),
  );

const later = { startedAt: "2026-01-02T05:00:00.000Z" };
const OVER = cellOf("demand=2", { cpu: around(30), refused: around(75) });
const OF_ITS_CAPACITY = [
  cellOf("base", { cpu: around(50) }),
  { ...OVER, factors: { ...OVER.factors!, demand: 2 } },
];
const folder = (): string =>
  folderWith({
    "base.json": run(50),
    "slower.json": run(55, later),
    "few.json": JSON.stringify(resultOf([cellOf("base", { cpu: [50, 51] })], [gate("cpu")], later)),
    "of-10000.json": JSON.stringify(resultOf(OF_ITS_CAPACITY, [gate("cpu")])),
    "of-20000.json": JSON.stringify(
      resultOf(OF_ITS_CAPACITY, [gate("cpu")], { ...later, capacity: 20_000 }),
    ),
    "other-suite.json": run(50, {
      ...later,
      suite: { id: "redis", title: "Over Redis", hash: "5f1e" },
    }),
    "cut.json": run(50).slice(0, 300),
  });

test("a regression is reported in words and numbers, fails no build, and only results go to stdout", async () => {
  const here = folder();
  const args = ["compare", "base.json", "slower.json", "--html", "change.html"];
  const { code, out, err } = await weir(here, args);
  expect({ code, err }).toEqual({
    code: EXIT.passed,
    err: "saved: change.html\n",
  });
  const [first = "", second] = out.split("\n");
  expect(first).toMatch(
    /^HEAD is worse than BASE: processor time of a request for the base cell rose by 10\.0 % \(95 %: /,
  );
  expect(second).toContain("two of equal code can differ by 15 %. weir bench --against PATH");
  const page = readFileSync(join(here, "change.html"), "utf8");
  const shown = page.replaceAll("\u00A0", " "); // units stay with their numbers
  expect(shown.includes(`<h1>${first.slice(0, -1)}</h1>`)).toBe(true);
  expect(shown.includes(`>${second}</p>`)).toBe(true);
  expect(out).toContain("regressed  base: processor time");
});

test("--min-effect sets the smallest change that counts, and --json prints one document", async () => {
  const args = ["compare", "base.json", "slower.json", "--min-effect", "15%", "--json"];
  const { code, out } = await weir(folder(), args);
  expect(code).toBe(EXIT.passed);
  const document = JSON.parse(out) as object;
  const schema = JSON.parse((await weir(folder(), ["schema", "--compare"])).out) as object;
  const fits = new Ajv2020({ strict: false }).compile(schema);
  expect([fits(document), fits({ ...document, answer: "none" })]).toEqual([true, false]);
  expect(document).toMatchObject({
    format: "weir-compare/2",
    minEffect: 0.15,
    word: "same",
    gates: [{ cell: "base", metric: "cpu" }],
    shown: [{ cell: "base", metric: "p99" }],
    answer: [{ id: "same" }, { id: "process" }, { id: "shown" }],
  });
});

test("--markdown begins with the answer, the first sentence strong", async () => {
  const { code, out } = await weir(folder(), ["compare", "base.json", "few.json", "--markdown"]);
  expect(code).toBe(EXIT.passed);
  expect(out).toMatch(
    /^\*\*No verdict: fewer than 5 repeats prove nothing; .*\*\*\n\nEach run has one process /,
  );
});

test("other suites are not compared, except by force and with a warning", async () => {
  const here = folder();
  const refused = await weir(here, ["compare", "base.json", "other-suite.json"]);
  expect(refused).toMatchObject({ code: EXIT.usage, out: "" });
  const forced = await weir(here, ["compare", "base.json", "other-suite.json", "--force"]);
  expect(forced.code).toBe(EXIT.passed);
  expect(forced.err).toContain("compared by force: BASE is a run of the suite gateway");
  expect(forced.out).toContain("These runs are not comparable, so no difference");
});

test("cells whose load follows from another capacity are left out, and compared by force", async () => {
  const here = folder();
  const args = ["compare", "of-10000.json", "of-20000.json", "--verbose"];
  const without = await weir(here, args);
  expect(without.code).toBe(EXIT.passed);
  expect(without.err).toContain(
    "warning: left out: demand=2: their load follows from the capacity",
  );
  expect(without.out).toContain("base: processor time");
  expect(without.out).not.toContain("demand=2");
  const forced = await weir(here, [...args, "--force"]);
  expect(forced.err).toContain("warning: compared by force: demand=2: their load follows");
  expect(forced.out).toContain("demand=2: processor time");
});

test.each([
  [["base.json", "none.json"], "none.json: there is no such file or folder"],
  [["cut.json", "base.json"], "cut.json: this is not JSON, or the document is incomplete"],
  [["base.json"], "weir compare: it takes 2 arguments (compare BASE HEAD); got 1"],
  [["base.json", "base.json", "--min-effect", "3"], "--min-effect must be a share between 0%"],
  [["base.json", "base.json", "--alpha", "5%"], "--alpha must be a number from 0.001 to 0.5"],
  [["base.json", "base.json", "--json", "--markdown"], "choose one"],
])("compare %j is bad input: %s", async (operands, sentence) => {
  const { code, out, err } = await weir(folder(), ["compare", ...operands]);
  expect({ code, isJson: out.includes("weir-faults/1"), isEmpty: out === "" }).toEqual({
    code: EXIT.usage,
    isJson: operands.includes("--json"),
    isEmpty: !operands.includes("--json"),
  });
  expect(err).toContain(sentence);
});
