import { expect, test } from "vitest";
import { tablesOf } from "#src/studies/bench/table.ts";
import { targetLine, targetsOf } from "#src/studies/bench/targets.ts";
import type { BenchTarget } from "#src/studies/bench/suite.ts";
import { cellOf, resultOf } from "./bench-results.ts";

function caseOf(targets: readonly BenchTarget[], better: "less" | "more") {
  const cells = [
    cellOf("ours", { cpu: [400, 493, 900] }),
    cellOf("theirs", { cpu: [800, 449, 100] }),
    cellOf("others", { cpu: [1_000, 984, 900] }),
  ];
  const cpu = { unit: "ns", better, about: "one decision", control: "theirs", targets };
  return resultOf(cells, [], { metrics: { cpu } });
}

const linesOf = (targets: readonly BenchTarget[], better: "less" | "more") =>
  targetsOf(caseOf(targets, better), "cpu").map(targetLine);

test("a target is decided by the medians of the table, and not by ratios of single rounds", () => {
  // Round by round, ours is 2, 0.91 and 0.11 times as good as theirs.
  expect(linesOf([{ cell: "ours", against: ["theirs"], times: 1 }], "less")).toEqual([
    "target not met: ours: at least as good as theirs; measured 0.911 (493 and 449 ns)",
  ]);
  const [table] = tablesOf(caseOf([], "less"));
  expect(table!.rows.map(({ texts }) => texts)).toEqual([
    ["ours", "493", "93", "1.1"],
    ["theirs", "449", "349", ""],
    ["others", "984", "16", "2.19"],
  ]);
});

test("where more is better, the best of others has the largest median", () => {
  expect(linesOf([{ cell: "others", against: ["theirs", "ours"], times: 1.9 }], "more")).toEqual([
    "target met: others: at least 1.9 times as good as the best of theirs, ours; measured 2 (984 and 493 ns)",
  ]);
  expect(linesOf([{ cell: "ours", value: 500 }], "more")).toEqual([
    "target not met: ours: at least 500 ns; measured 493 ns",
  ]);
});

test("within a multiple, measured has the multiple of the column x", () => {
  expect(linesOf([{ cell: "others", against: ["theirs"], times: 0.5 }], "less")).toEqual([
    "target not met: others: within 2 times theirs; measured 2.19 (984 and 449 ns)",
  ]);
});

test("a target with a cell that was not measured has no result", () => {
  expect(linesOf([{ cell: "ours", against: ["theirs", "none"], times: 1 }], "less")).toEqual([]);
  expect(linesOf([{ cell: "none", value: 1 }], "less")).toEqual([]);
});
