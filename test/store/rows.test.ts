import { describe, expect, test } from "vitest";
import { assign, drop, rowsFor, underHand } from "../../src/store/rows.ts";

describe("rows", () => {
  test("are handed out one after the other, until there are no more", () => {
    const rows = rowsFor(2);
    expect(["a", "b", "c"].map((name) => assign(rows, name))).toEqual([0, 1, -1]);
    expect([...rows.byIdentity]).toEqual([
      ["a", 0],
      ["b", 1],
    ]);
  });

  test("that were dropped are handed out again", () => {
    const rows = rowsFor(2);
    for (const name of ["a", "b"]) assign(rows, name);
    drop(rows, 0);
    expect(rows.byIdentity.has("a")).toBe(false);
    expect(assign(rows, "c")).toBe(0);
  });

  test("are dropped once: a second time says nothing", () => {
    const rows = rowsFor(2);
    assign(rows, "a");
    drop(rows, 0);
    drop(rows, 0);
    expect([assign(rows, "b"), assign(rows, "c")]).toEqual([0, 1]);
  });
});

describe("the hand", () => {
  test("finds nobody where nobody is", () => {
    expect(underHand(rowsFor(4))).toBe(-1);
  });

  test("goes round, and passes over rows that nobody holds", () => {
    const rows = rowsFor(4);
    for (const name of ["a", "b", "c"]) assign(rows, name);
    drop(rows, 1);
    expect([1, 2, 3, 4, 5].map(() => underHand(rows))).toEqual([0, -1, 2, 0, -1]);
  });
});
