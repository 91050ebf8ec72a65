import { expect, test } from "vitest";
import { joined } from "../../../bench/honest/joined.ts";
import { readResult } from "../../../src/bench/result-schema.ts";
import { cellOf, resultOf } from "../made-results.ts";

test("runs that took turns are one run with all their repeats, each in a round of its own", () => {
  const turn = (cpu: readonly number[]) => ({
    ...resultOf([cellOf("base", { cpu }), cellOf("(upstream)", { cpu }, "upstream")], []),
    tookSeconds: 10,
  });
  const one = joined([turn([80, 81]), turn([90, 91, 92])]);
  const [base] = one.cells;
  expect(base!.repeats.map(({ metrics }) => metrics.cpu)).toEqual([80, 81, 90, 91, 92]);
  expect(base!.repeats.map(({ round }) => round)).toEqual([0, 1, 2, 3, 4]);
  expect(base!.repeats.map(({ atSeconds }) => atSeconds)).toEqual([0, 1, 10, 11, 12]);
  expect(one.tookSeconds).toBe(20);
  expect(readResult(JSON.stringify(one))).toEqual(one);
});

test("one turn on a busy machine spoils them all", () => {
  const quiet = resultOf([cellOf("base", { cpu: [80] })], []);
  const busy = { ...quiet, machine: { ...quiet.machine, busy: "much else was running" } };
  expect(joined([quiet, quiet]).machine.busy).toBeNull();
  expect(joined([quiet, busy]).machine.busy).toBe("much else was running");
});
