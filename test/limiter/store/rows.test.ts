import { describe, expect, test } from "vitest";
import { client, passingClient } from "#src/limiter/core/client.ts";
import {
  assign,
  drop,
  hold,
  findCachedRow,
  rowsFor,
  advanceHand,
} from "#src/limiter/store/rows.ts";

describe("rows", () => {
  test("are handed out one after the other, until there are no more", () => {
    const rows = rowsFor(2);
    expect(["a", "b", "c"].map((name) => assign(rows, client(name)))).toEqual([0, 1, -1]);
    expect([...rows.byIdentity]).toEqual([
      ["a", 0],
      ["b", 1],
    ]);
  });

  test("that were dropped are handed out again", () => {
    const rows = rowsFor(2);
    for (const name of ["a", "b"]) assign(rows, client(name));
    drop(rows, 0);
    expect(rows.byIdentity.has("a")).toBe(false);
    expect(assign(rows, client("c"))).toBe(0);
  });

  test("are dropped once: a second time does nothing", () => {
    const rows = rowsFor(2);
    assign(rows, client("a"));
    drop(rows, 0);
    drop(rows, 0);
    expect([assign(rows, client("b")), assign(rows, client("c"))]).toEqual([0, 1]);
  });
});

describe("the hand", () => {
  test("finds no row in an empty table", () => {
    expect(advanceHand(rowsFor(4))).toBe(-1);
  });

  test("goes round, and passes over rows that no client holds", () => {
    const rows = rowsFor(4);
    for (const name of ["a", "b", "c"]) assign(rows, client(name));
    drop(rows, 1);
    expect([1, 2, 3, 4, 5].map(() => advanceHand(rows))).toEqual([0, -1, 2, 0, -1]);
  });
});

describe("the client that holds a row", () => {
  test("knows it, until the row is dropped", () => {
    const rows = rowsFor(2);
    const [a, b] = [client("a"), client("b")];
    for (const each of [a, b]) assign(rows, each);
    expect([findCachedRow(rows, a), findCachedRow(rows, b)]).toEqual([0, 1]);
    drop(rows, 1);
    expect([findCachedRow(rows, a), findCachedRow(rows, b)]).toEqual([0, -1]);
  });

  test("does not take another's row for its own, when that one has it by now", () => {
    const rows = rowsFor(1);
    const [a, b] = [client("a"), client("b")];
    assign(rows, a);
    drop(rows, 0);
    assign(rows, b);
    expect([findCachedRow(rows, a), findCachedRow(rows, b)]).toEqual([-1, 0]);
  });

  test("is one client at a time: another of the same identity takes its knowledge away", () => {
    const rows = rowsFor(1);
    const [first, second] = [client("shared"), client("shared")];
    assign(rows, first);
    hold(rows, 0, second);
    expect([findCachedRow(rows, first), findCachedRow(rows, second)]).toEqual([-1, 0]);
    drop(rows, 0);
    expect([findCachedRow(rows, first), findCachedRow(rows, second)]).toEqual([-1, -1]);
  });

  test("is none where clients pass: the row has the identity alone", () => {
    const rows = rowsFor(2);
    const passing = passingClient();
    for (const identity of ["a", "b"]) {
      passing.identity = identity;
      assign(rows, passing);
    }
    expect(rows.holders).toEqual(["a", "b"]);
    expect(findCachedRow(rows, passing)).toBe(-1);
    drop(rows, 0);
    expect([...rows.byIdentity]).toEqual([["b", 1]]);
    expect([1, 2].map(() => advanceHand(rows))).toEqual([-1, 1]);
    const own = client("b"); // the same identity may also be that of a client that stays
    hold(rows, 1, own);
    expect(findCachedRow(rows, own)).toBe(1);
  });

  test("knows its row in the table where it was found last, and elsewhere only where it is the same", () => {
    const [here, there, elsewhere] = [rowsFor(2), rowsFor(2), rowsFor(2)];
    const a = client("a");
    assign(elsewhere, client("other"));
    for (const rows of [elsewhere, here, there]) assign(rows, a);
    expect([here, there, elsewhere].map((rows) => findCachedRow(rows, a))).toEqual([0, 0, -1]);
    drop(here, 0);
    expect([here, there].map((rows) => findCachedRow(rows, a))).toEqual([-1, 0]);
  });
});
