import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  clear,
  countAfter,
  countOf,
  enlargeStampRows,
  insert,
  newest,
  prune,
  remove,
  stampRows,
  trim,
} from "#src/limiter/algorithms/sliding-log/stamps.ts";
import { holds } from "../../../runs.ts";

const ROWS = 5;
function rows() {
  const made = stampRows();
  enlargeStampRows(made, ROWS);
  return made;
}

type Command =
  | { readonly do: "insert" | "prune" | "remove"; readonly row: number; readonly us: number }
  | { readonly do: "trim"; readonly row: number; readonly most: number }
  | { readonly do: "clear"; readonly row: number };

const row = fc.constantFrom(0, 1, ROWS - 1);
const us = fc.integer({ min: 1, max: 30 });
const command: fc.Arbitrary<Command> = fc.oneof(
  { weight: 8, arbitrary: fc.record({ do: fc.constant("insert" as const), row, us }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("prune" as const), row, us }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("remove" as const), row, us }) },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant("trim" as const), row, most: fc.nat(5) }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("clear" as const), row }) },
);

/** The same on plain sorted lists. */
function apply(list: readonly number[], command: Command): readonly number[] {
  switch (command.do) {
    case "insert":
      return [...list, command.us].toSorted((a, b) => a - b);
    case "prune":
      return list.filter((stamp) => stamp > command.us);
    case "remove": {
      const index = list.lastIndexOf(command.us);
      return index < 0 ? list : list.toSpliced(index, 1);
    }
    case "trim":
      return command.most === 0 ? [] : list.slice(-command.most);
    case "clear":
      return [];
  }
}

function run(on: ReturnType<typeof rows>, command: Command): void {
  switch (command.do) {
    case "insert":
      return insert(on, command.row, command.us, 1);
    case "prune":
      return prune(on, command.row, command.us);
    case "remove":
      return remove(on, command.row, command.us, 1);
    case "trim":
      return trim(on, command.row, command.most);
    case "clear":
      return clear(on, command.row);
  }
}

test("rings in one arena hold what sorted lists hold, whatever is done to them", () => {
  holds(
    fc.property(fc.array(command, { maxLength: 120, size: "max" }), (commands) => {
      const on = rows();
      let lists: readonly (readonly number[])[] = Array.from({ length: ROWS }, () => []);
      for (const each of commands) {
        run(on, each);
        lists = lists.with(each.row, apply(lists[each.row]!, each));
      }
      const held = lists.map((list, index) => ({
        count: countOf(on, index),
        newestFirst: list.map((_, k) => newest(on, index, k + 1)),
        after: [0, 10, 20, 30].map((from) => countAfter(on, index, from)),
      }));
      expect(held).toEqual(
        lists.map((list) => ({
          count: list.length,
          newestFirst: list.toReversed(),
          after: [0, 10, 20, 30].map((from) => list.filter((stamp) => stamp > from).length),
        })),
      );
      expect(on.held).toBe(lists.flat().length);
    }),
    400,
  );
});

describe("a ring", () => {
  test("has nothing newer than minus infinity where it ends", () => {
    const on = rows();
    insert(on, 0, 5, 1);
    expect([newest(on, 0, 1), newest(on, 0, 2), newest(on, 1, 1)]).toEqual([
      5,
      Number.NEGATIVE_INFINITY,
      Number.NEGATIVE_INFINITY,
    ]);
  });

  test("without its newest stamp has the one before as its newest", () => {
    const on = rows();
    for (const us of [10, 20, 20, 30]) insert(on, 0, us, 1);
    const newestLeft = [30, 20, 20].map((us) => {
      remove(on, 0, us, 1);
      return newest(on, 0, 1);
    });
    expect(newestLeft).toEqual([20, 20, 10]);
    insert(on, 0, 15, 1);
    expect([1, 2, 3].map((k) => newest(on, 0, k))).toEqual([15, 10, Number.NEGATIVE_INFINITY]);
    for (const us of [10, 15]) remove(on, 0, us, 1);
    expect(newest(on, 0, 1)).toBe(Number.NEGATIVE_INFINITY);
  });

  test("hands its room on to others when it grows or is cleared", () => {
    const on = rows();
    for (let round = 0; round < 100; round++) {
      for (let i = 0; i < 64; i++) insert(on, round % ROWS, i, 1);
      clear(on, round % ROWS);
    }
    expect(on.top).toBeLessThan(256);
  });

  test("keeps only what is in a window that moves, however long it goes on", () => {
    const on = rows();
    for (let i = 0; i < 100_000; i++) {
      prune(on, 0, i - 10);
      insert(on, 0, i, 1);
    }
    expect(countOf(on, 0)).toBe(10);
    expect(on.arena.length).toBeLessThan(64);
  });
});
