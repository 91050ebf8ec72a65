import { expect, test } from "vitest";
import { levelByNumber, makeRoom } from "../../src/store/numbered.ts";
import { runByNumber } from "../../src/store/numbered-runs.ts";
import { level } from "./budgets.ts";

test("a log of a client that keeps sending holds what one window has", () => {
  const numbered = levelByNumber(level("sliding_log", { rate: 5, per: 10 }))!;
  makeRoom(numbered, 1);
  const count = 20_000;
  const requests = {
    count,
    clients: new Int32Array(count),
    atUs: Float64Array.from({ length: count }, (_, second) => second * 1_000_000),
  };
  expect(runByNumber(numbered)!(requests, new Int32Array(count))).toBe(count - 5);
  const { table } = numbered.bound;
  expect(table.kind === "log" && table.stamps.held).toBe(10);
});
