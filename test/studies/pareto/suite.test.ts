import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { IMMEDIATE_ALGORITHMS } from "#src/limiter/core/algorithms.ts";
import { placesIn } from "#src/studies/pareto/result.ts";
import { runCell } from "#src/studies/pareto/run-cell.ts";
import {
  cellsOf,
  CONTENDERS,
  MODELS,
  nameOf,
  suiteOf,
  TRAFFIC,
} from "#src/studies/pareto/suite.ts";
import { TRAFFIC_ABOUT } from "#src/studies/pareto/traffic.ts";

const suite = suiteOf({ isQuick: true, traffic: null, gateways: null });

test("every algorithm of the core and every model meets every traffic on every fleet", () => {
  const names = cellsOf(suite).map(nameOf);
  expect(new Set(names).size).toBe(CONTENDERS.length * TRAFFIC.length * 3);
  expect(CONTENDERS).toEqual([...IMMEDIATE_ALGORITHMS, ...MODELS]);
  expect(CONTENDERS.length).toBeGreaterThanOrEqual(8);
  expect(Object.keys(TRAFFIC_ABOUT)).toEqual(TRAFFIC);
  expect(
    suite.fleets.map(({ gateways, weights, skewMs }) => [gateways, weights.length, skewMs.length]),
  ).toEqual([
    [1, 1, 1],
    [3, 3, 3],
    [10, 10, 10],
  ]);
});

test("no scenario names a model", () => {
  const folder = join(import.meta.dirname, "../../../scenarios");
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" });
  const naming = files
    .filter((file) => file.endsWith(".yaml"))
    .filter((file) => /per_node|periodic_sync/.test(readFileSync(join(folder, file), "utf8")));
  expect(naming).toEqual([]);
});

test("shards share the cells out, each once", () => {
  const shards = [1, 2, 3, 4, 5].map((index) => placesIn(suite, { index, of: 5 }));
  expect(shards.flat().toSorted((a, b) => a - b)).toEqual([...cellsOf(suite).keys()]);
  expect(shards[1]!.slice(0, 3)).toEqual([1, 6, 11]);
});

const small = { ...suite, runs: 2, windows: 3 };

test.each(
  cellsOf(suite).filter(
    ({ fleet, algorithm }) => fleet.gateways === 3 && algorithm === "periodic_sync 10ms",
  ),
)("$traffic is the same with the same seed, and another with another", (cell) => {
  const once = runCell(cell, small, 1);
  expect(runCell(cell, small, 1)).toEqual(once);
  expect(runCell(cell, small, 2)).not.toEqual(once);
  expect(once[0]).not.toEqual(once[1]);
});
