import { describe, expect, test } from "vitest";
import { client } from "../../src/core/client.ts";
import { emptyReply, type Level } from "../../src/core/store.ts";
import { atHand, memoryStore, type MemoryStore } from "../../src/store/memory.ts";
import type { Table } from "../../src/store/table.ts";
import { atUs, level } from "./budgets.ts";

const KEYS = 1_000_000;
const RATE = { rate: 5, per: 60 };

/** Bytes of the numbers of a budget: all but its name and the maps that find it. */
function columnBytes(table: Table): number {
  return table.kind === "log"
    ? table.stamps.arena.byteLength + table.stamps.rings.byteLength
    : table.cells.byteLength;
}

/** A map's entry is three words for a third more places than are used, and its bucket; the list of names is one. */
const ENTRY_BYTES = 3 * 8 * 2 + 8 + 2 * 8;

const bytesOf = ({ tables }: MemoryStore): number =>
  [...tables.values()].reduce(
    (sum, table) => sum + columnBytes(table) + table.rows.capacity * ENTRY_BYTES,
    0,
  );

/** One request of each of so many clients, `everySeconds` apart. */
function flood(one: Level, keys: number, everySeconds: number): MemoryStore {
  const store = memoryStore();
  const question = atHand(store, store).bind([one]);
  const reply = emptyReply();
  for (let i = 0; i < keys; i++)
    question.take(client(`key:${i}`), atUs(i * everySeconds), "spend", reply);
  return store;
}

const rowsOf = ({ tables }: MemoryStore): number =>
  [...tables.values()].reduce((sum, { rows }) => sum + rows.byIdentity.size, 0);

describe("a million distinct keys at one moment", () => {
  test.each([
    ["fixed_window", 128],
    ["sliding_log", 160],
  ] as const)("%s: at most %d bytes each, beside their names", (algorithm, most) => {
    const store = flood(level(algorithm, RATE), KEYS, 0);
    expect(rowsOf(store)).toBe(KEYS);
    expect(bytesOf(store) / KEYS).toBeLessThan(most);
  });
});

describe("a flood that goes on", () => {
  test.each(["fixed_window", "sliding_log", "token_bucket"] as const)(
    "%s: holds little more than what its window holds, and never more",
    (algorithm) => {
      // A thousand new keys a second, and a window of a minute: 61,000 budgets say something at any moment.
      const store = flood(level(algorithm, RATE), 150_000, 0.001);
      expect(rowsOf(store)).toBeGreaterThanOrEqual(60_000);
      expect(rowsOf(store)).toBeLessThan(2 * 61_000);
    },
  );
});
