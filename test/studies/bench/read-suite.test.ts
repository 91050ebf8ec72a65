import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { IMMEDIATE_ALGORITHMS } from "#src/limiter/core/algorithms.ts";
import { cellsOf, MOST_CELLS, MOST_CONTROLS, secondsOf } from "#src/studies/bench/cells.ts";
import { readSuite } from "#src/studies/bench/read-suite.ts";
import type { Suite } from "#src/studies/bench/suite.ts";
import { isFailure, requireValue } from "#src/kit/reading/failure.ts";

const folder = join(import.meta.dirname, "../../../bench");

const readShipped = (name: string): Suite =>
  requireValue(readSuite(name, readFileSync(join(folder, name), "utf8")));

test.each(["gateway.yaml", "redis.yaml"])("%s takes less than ten minutes", (name) => {
  const suite = readShipped(name);
  const cells = cellsOf(suite);
  expect(cells.length).toBeLessThanOrEqual(MOST_CELLS);
  expect(suite.controls.length).toBeLessThanOrEqual(MOST_CONTROLS);
  expect(secondsOf(suite, cells.length, suite.controls.length)).toBeLessThan(600);
});

test("the suite of starts bounds processor time, p99, memory and what survives", () => {
  const { starts, bounds } = readShipped("starts.yaml");
  expect(starts).toBe(10);
  expect([...new Set(bounds.map(({ metric }) => metric))]).toEqual([
    "cpu",
    "p99",
    "survived",
    "rss",
  ]);
});

// A response that waits for its turn measures no cost.
test("both gateway suites of Weir measure every algorithm that delays nothing", () => {
  for (const name of readdirSync(folder).filter((file) => /^(?:gateway|redis)\.yaml$/.test(file))) {
    const { base, vary } = readShipped(name);
    expect([base.algorithm, ...vary.algorithm].toSorted()).toEqual(IMMEDIATE_ALGORITHMS.toSorted());
  }
});

const SOUND = `id: mine
title: Mine
about: Something.
base: { algorithm: gcra, store: memory, demand: 0.5, keys: one, connections: 4, load_model: closed }
vary: { demand: [2] }
key_count: 10
per: 100ms
duration: 1s
warm_up: 1s
repeats: 3
`;

const problemsOf = (text: string): readonly string[] => {
  const read = readSuite("bench/mine.yaml", text);
  return isFailure(read) ? read.problems : [];
};

test("a suite needs no controls and no gates", () => {
  expect(problemsOf(SOUND)).toEqual([]);
});

test.each([
  [
    "id: mine",
    "id: yours",
    '1:5 error BENCH-VALUE "yours" is not the name of the file; write mine',
  ],
  ["gcra", "gcrb", '4:20 error BENCH-VALUE "gcrb" is not one of'],
  [
    "repeats: 3",
    "repeat: 3",
    '10:1 error BENCH-UNKNOWN-FIELD "repeat" is not a field of a suite; did you mean "repeats"?',
  ],
  ["[2]", "[0.5]", "5:18 error BENCH-DUPLICATE-NAME the base already has demand 0.5"],
  ["duration: 1s", "duration: 1", "8:11 error BENCH-VALUE 1 is not a duration above 0"],
  ["repeats: 3", "repeats: [", "BENCH-YAML"],
  [
    "repeats: 3",
    "repeats: 3\ngates: [{ cell: demand=3, metric: cpu }]",
    '11:17 error BENCH-NAME no cell of this suite is called "demand=3"; did you mean "demand=2"?',
  ],
  [
    "repeats: 3",
    "repeats: 3\ncontrols: [nginx, nginx]",
    "11:19 error BENCH-DUPLICATE-NAME nginx is listed twice",
  ],
  ...(
    [
      [
        "{ metric: throughput, most: 1 }",
        "11:20 error BENCH-VALUE a bound is a maximum, but a larger throughput is better",
      ],
      [
        "{ metric: cpu }",
        "11:10 error BENCH-VALUE a bound has either `most`, or `control` and `times`",
      ],
      [
        "{ metric: cpu, control: nginx, times: 1 }",
        "11:34 error BENCH-NAME nginx is none of the controls",
      ],
      [
        "{ metric: cpu, cell: demand=3, most: 1 }",
        '11:31 error BENCH-NAME no cell of this suite is called "demand=3"',
      ],
    ] as const
  ).map(
    ([bound, problem]) =>
      ["repeats: 3", `repeats: 3\nbounds: [${bound}]`, problem] as [string, string, string],
  ),
])("%s as %s is a problem with its position", (right, wrong, problem) => {
  const [first = ""] = problemsOf(SOUND.replace(right, wrong));
  expect(first).toMatch(/^bench\/mine\.yaml:\d+:\d+ error BENCH-/);
  expect(first).toContain(problem);
});

test("more gates than a comparison can test are a problem", () => {
  const gates = Array.from({ length: 5 }, () => "{ cell: base, metric: cpu }").join(", ");
  expect(problemsOf(`${SOUND}gates: [${gates}]\n`)).toEqual([
    "bench/mine.yaml:11:8 error BENCH-VALUE there are 5 gates, and at most 4 are allowed; leave some out: with more gates only a larger change is found",
  ]);
});
