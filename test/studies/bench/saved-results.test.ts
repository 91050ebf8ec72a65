// The results that are saved in reports/bench, and the tables of the pages that show them.
import { globSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { expect, test } from "vitest";
import { boundResults } from "#src/studies/bench/bounds.ts";
import { readResult, type BenchResult } from "#src/studies/bench/result.ts";
import { spreadIn, timesOf } from "#src/studies/bench/medians.ts";
import { figure } from "#src/kit/reading/legible.ts";
import { requireValue } from "#src/kit/reading/failure.ts";
import { cellsOf } from "../../docs/sessions.ts";

const ROOT = join(import.meta.dirname, "../../..");
const FOLDER = join(ROOT, "reports/bench");
const files = globSync("*.json", { cwd: FOLDER }).toSorted();
const page = ["serve/benchmarking.md", "inside/single-parts.md"]
  .map((name) => readFileSync(join(ROOT, "docs", name), "utf8"))
  .join("");

const read = (file: string): BenchResult =>
  requireValue(readResult(readFileSync(join(FOLDER, file), "utf8")));

test("are those that the pages name", () => {
  expect(files).toEqual([
    "core.json",
    "gateway.json",
    "redis-store.json",
    "sim.json",
    "starts.json",
  ]);
  for (const file of files) expect(page).toContain(`reports/bench/${file}`);
});

test.each(files)(
  "%s is complete, of a commit, without errors, and names no place of a machine",
  (file) => {
    const { stopped, footer, machine, samples } = read(file);
    expect({ stopped, errors: footer.errors, changed: machine.changed }).toEqual({
      stopped: null,
      errors: 0,
      changed: false,
    });
    expect(machine.commit).toMatch(/^[0-9a-f]{40}$/);
    const texts = [file, ...(samples === null ? [] : [samples])];
    for (const text of texts)
      expect(readFileSync(join(FOLDER, text), "utf8")).not.toMatch(
        /"[^"]*\/(?:tmp|root|home|work)\//,
      );
  },
);

/** The first table after a heading or a sentence of the page, without its head. */
function tableAfter(text: string): readonly (readonly string[])[] {
  const at = page.indexOf(text);
  expect(at).toBeGreaterThan(0);
  const [table] = page.slice(at).match(/(?:^\|.*\n)+/m)!;
  return cellsOf(table.trimEnd().split("\n")).slice(2);
}

const NAMES: readonly (readonly [label: string, cell: string])[] = [
  ["base", "base"],
  ["sliding log", "algorithm=sliding_log"],
  ["token bucket", "algorithm=token_bucket"],
  ["over Redis", "store=redis"],
  ["twice the limit", "demand=2"],
  ["ten times the limit", "demand=10"],
  ["10,000 keys", "keys=many"],
  ["128 connections", "connections=128"],
];

test("the page shows the medians of gateway.json", () => {
  const result = read("gateway.json");
  const controls = result.cells.flatMap(({ name, role }) =>
    role === "control" ? [[`(${name.replace("unlimited", "no limit")})`, name] as const] : [],
  );
  const cellOf = (wanted: string) => result.cells.find(({ name }) => name === wanted)!;
  const bare = cellOf("bare-proxy");
  const rows = [...NAMES, ...controls].map(([label, name]) => {
    const median = (metric: string): string => figure(spreadIn(cellOf(name), metric)!.median);
    const times = (metric: string): string => timesOf(cellOf(name), bare, metric)!.toFixed(2);
    const speed = [median("cpu"), times("cpu"), median("throughput"), times("throughput")];
    return [label, ...speed, median("p99"), median("rss")];
  });
  expect(tableAfter("### Results")).toEqual(rows);
});

test("the page shows the ten starts of starts.json", () => {
  const startsOf = (metric: string, cell: string, control: string): readonly string[] => {
    const { measured, starts, broken } = boundResults(read("starts.json")).find(
      ({ text }) => text.startsWith(`${metric} of ${cell}:`) && text.endsWith(` times ${control}`),
    )!;
    expect(starts).toBe(10);
    const { median, min, max } = measured!;
    return [`${figure(median)} (${figure(min)} to ${figure(max)})`, String(broken)];
  };
  const cells = [
    ["base", "base", "bare-proxy"],
    ["over Redis", "store=redis", "bare-proxy"],
    ["over Redis, x the proxy over Redis", "store=redis", "bare-proxy-redis"],
    ["500 connections", "connections=500", "bare-proxy connections=500"],
    ["at planned times", "load_model=poisson", "bare-proxy load_model=poisson"],
  ] as const;
  expect(tableAfter("### Bounds of each start")).toEqual(
    cells.map(([label, cell, control]) => [
      label,
      ...startsOf("cpu", cell, control),
      ...startsOf("p99", cell, control),
    ]),
  );
});

test("the page shows the ratios of sim.json", () => {
  const { cells } = read("sim.json");
  const ratio = (metric: string, candidate: string, control: string): string => {
    const cellOf = (wanted: string) =>
      cells.find((cell) => cell.name === wanted && spreadIn(cell, metric) !== null)!;
    return timesOf(cellOf(candidate), cellOf(control), metric)!.toPrecision(2);
  };
  expect(tableAfter("(`reports/bench/sim.json`)").map((row) => row.at(-1))).toEqual([
    ratio("alone", "counted", "typed loop"),
    ratio("alone", "with history", "typed loop"),
    ratio("latency", "counted", "bare events"),
    ratio("latency", "with history", "bare events"),
  ]);
});

test("samples of a saved result are in its folder", () => {
  const withSamples = files.filter((file) => read(file).samples !== null);
  expect(withSamples.map((file) => read(file).samples)).toEqual(
    withSamples.map((file) => `${basename(file, ".json")}.ndjson`),
  );
  expect(withSamples).toEqual(expect.arrayContaining(["gateway.json", "starts.json"]));
});
