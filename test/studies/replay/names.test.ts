import { expect, test } from "vitest";
import * as fc from "fast-check";
import { NameTable } from "#src/studies/replay/names.ts";
import { holds } from "../../runs.ts";

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
        const queued = new NameTable();
        const ids = new Int32Array(lines.length);
        const numbers = new Map<string, number>();
        let block = new Uint8Array(64);
        for (const [index, { name, isInNewBlock }] of lines.entries()) {
          const expected = numbers.get(name) ?? numbers.size;
          numbers.set(name, expected);
          if (isInNewBlock) block = new Uint8Array(64).fill(97 + (index % 2)); // bytes around a name are no part of it
          const from = index % 7;
          const { written } = new TextEncoder().encodeInto(name, block.subarray(from));
          expect(table.idOf(block, from, from + written)).toBe(expected);
          queued.queue(block, from, from + written);
          if (index % 40 < 39) continue; // the others are in the queue when it is taken for the last time
          queued.takeQueued(ids);
          expect(ids[39]).toBe(expected);
        }
        queued.takeQueued(ids);
        const rest = lines.slice(lines.length - (lines.length % 40));
        expect([...ids.subarray(0, rest.length)]).toEqual(
          rest.map(({ name }) => numbers.get(name)),
        );
        expect(table.names).toEqual([...numbers.keys()]);
        expect(queued.names).toEqual([...numbers.keys()]);
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
  const [first, second] = [11 | (1 << 8), 11 | (3 << 8)]; // with the length of a name, as records have it
  const words = Int32Array.of(first, 2, 9, second, mix(0, first) ^ 2 ^ mix(0, second), 9);
  const bytes = new Uint8Array(words.buffer);
  const table = new NameTable();
  expect([table.idOf(bytes, 1, 12), table.idOf(bytes, 13, 24)]).toEqual([0, 1]);
  table.queue(bytes, 13, 24);
  table.queue(bytes, 1, 12);
  const ids = new Int32Array(2);
  table.takeQueued(ids);
  expect([...ids]).toEqual([1, 0]);
});

test("long names are names too, also those of more than a page", () => {
  const lengths = [254, 255, 256, 700_000, 3, 700_001, 2_000_000, 5, 700_000, 0];
  const names = lengths.map((length, index) => String.fromCharCode(97 + index).repeat(length));
  const table = new NameTable();
  const idOf = (name: string): number => {
    const bytes = new TextEncoder().encode(name);
    return table.idOf(bytes, 0, bytes.length);
  };
  expect(names.map(idOf)).toEqual([...names.keys()]);
  expect(names.map(idOf)).toEqual([...names.keys()]);
  expect(names.map((_, id) => table.nameOf(id) === names[id])).not.toContain(false);
  table.renumber(Int32Array.from(names.keys()).toReversed());
  expect(names.map(idOf)).toEqual([...names.keys()].toReversed());
});
