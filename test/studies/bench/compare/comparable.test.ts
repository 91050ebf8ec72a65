import { expect, test } from "vitest";
import { checkComparable } from "#src/studies/bench/compare/comparable.ts";
import type { BenchMachine, BenchResult } from "#src/studies/bench/result.ts";
import { cellOf, gate, resultOf } from "../bench-results.ts";

const base = resultOf(
  [cellOf("base", { cpu: [50] }), cellOf("demand=2", { cpu: [51] })],
  [gate("cpu")],
);
const other = { ...base, startedAt: "2026-01-02T04:00:00.000Z" };
const on = (machine: Partial<BenchMachine>): BenchResult => ({
  ...other,
  machine: { ...base.machine, ...machine },
});
const failing = (name: string): BenchResult => ({
  ...other,
  cells: base.cells.map((cell) =>
    cell.name === name
      ? { ...cell, repeats: cell.repeats.map((repeat) => ({ ...repeat, errors: 2 })) }
      : cell,
  ),
});

const SOUND = { obstacles: [], warnings: [], leftOut: new Map() };

test("two runs of the same on the same can be compared", () => {
  expect(checkComparable(base, other)).toEqual(SOUND);
});

test.each([
  [
    { ...other, suite: { ...base.suite, id: "redis" } },
    "BASE is a run of the suite gateway, HEAD one of redis",
  ],
  [
    { ...other, suite: { ...base.suite, hash: "other" } },
    "BASE and HEAD ran the suite gateway differently",
  ],
  [on({ cpu: "another" }), "BASE ran on 2 x a processor with 8 GiB, HEAD on 2 x another"],
  [on({ cores: 4 }), "HEAD on 4 x a processor"],
  [{ ...other, target: "http://127.0.0.1:9" }, "only HEAD ran against a --target"],
  [{ ...other, argv: ["bench", "--pin"] }, "only HEAD ran with --pin"],
  [{ ...other, stopped: "interrupted" }, "HEAD ended before its time (interrupted)"],
  [
    on({ busy: "others took 60 %: its times prove little" }),
    "HEAD ran while the machine was too busy: others took 60 %",
  ],
  [failing("base"), "HEAD has 2 errors in base, which has a gate"],
])("an obstacle (%#): %s", (head, sentence) => {
  const { obstacles } = checkComparable(base, head);
  expect(obstacles).toHaveLength(1);
  expect(obstacles[0]).toContain(sentence);
});

test("two targets may be compared, and are named", () => {
  const at = (target: string): BenchResult => ({ ...other, target });
  expect(checkComparable({ ...at("http://one"), startedAt: "earlier" }, at("http://two"))).toEqual({
    ...SOUND,
    warnings: ["the target differs: http://one in BASE, http://two in HEAD"],
  });
});

test("a run that ended before its capacity was known has one obstacle", () => {
  const ended = { ...other, capacity: null, stopped: "interrupted" };
  expect(checkComparable(base, ended).obstacles).toHaveLength(1);
});

test.each([
  [base, "BASE and HEAD are the same run"],
  [on({ node: "26.0.0" }), "Node differs: 24.0.0 in BASE, 26.0.0 in HEAD"],
  [
    on({ governor: "performance" }),
    "the processor's governor differs: unknown in BASE, performance in HEAD",
  ],
  [on({ system: "linux 6.2" }), "the system differs: linux 6.1 in BASE, linux 6.2 in HEAD"],
  [on({ versions: { weir: "0.1.0", redis: "8.0" } }), "packages differ: redis none and 8.0"],
  [{ ...other, gates: [gate("p99")] }, "the gates differ: those of BASE apply"],
  [{ ...other, warnings: ["the sender overran"] }, "HEAD: the sender overran"],
  [failing("demand=2"), "HEAD has 2 errors in demand=2"],
])("a warning (%#): %s", (head, sentence) => {
  expect(checkComparable(base, head)).toEqual({ ...SOUND, warnings: [sentence] });
});
