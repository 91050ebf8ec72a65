import { expect, test } from "vitest";
import * as fc from "fast-check";
import { NameTable } from "../../src/replay/names.ts";
import { holds } from "../runs.ts";

test("names are numbered in their order, by all of their bytes, wherever they are in a block", () => {
  holds(
    fc.property(
      fc.array(
        fc.record({
          name: fc.string({ unit: fc.constantFrom("a", "b", "\0"), maxLength: 13 }),
          isInNewBlock: fc.boolean(),
        }),
        { minLength: 1, maxLength: 200, size: "max" },
      ),
      (lines) => {
        const table = new NameTable();
        const numbers = new Map<string, number>();
        let block = new Uint8Array(64);
        for (const [index, { name, isInNewBlock }] of lines.entries()) {
          const expected = numbers.get(name) ?? numbers.size;
          numbers.set(name, expected);
          if (isInNewBlock) block = new Uint8Array(64).fill(97 + (index % 2)); // bytes around a name are no part of it
          const from = index % 7;
          const { written } = new TextEncoder().encodeInto(name, block.subarray(from));
          expect(table.idOf(block, from, from + written)).toBe(expected);
        }
        expect(table.names).toEqual([...numbers.keys()]);
      },
    ),
    100,
  );
});

test("two names with the same hash have numbers of their own", () => {
  // As `mix` of the table: a difference in the first word is undone by the second one.
  const mix = (hash: number, word: number): number => {
    const mixed = Math.imul(hash ^ word, 0x9e3779b1);
    return mixed ^ (mixed >>> 15);
  };
  const words = Int32Array.of(1, 2, 9, 3, 0, 9);
  words[4] = mix(12, 1) ^ 2 ^ mix(12, 3);
  const bytes = new Uint8Array(words.buffer);
  const table = new NameTable();
  expect([table.idOf(bytes, 0, 12), table.idOf(bytes, 12, 24)]).toEqual([0, 1]);
});
