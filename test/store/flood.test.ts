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

describe("a table that nobody asks any more", () => {
  const other = { rate: 5, per: 60 };

  test.each(["fixed_window", "sliding_log", "token_bucket"] as const)(
    "%s: gives up its rows while another one is asked",
    (algorithm) => {
      const store = flood(level(algorithm, { rate: 5, per: 10 }), 2_000, 0);
      const question = atHand(store, store).bind([level(algorithm, other)]);
      const asking = client("alice");
      const ask = (times: number, seconds: number): number => {
        for (let i = 0; i < times; i++) question.take(asking, atUs(seconds), "spend", emptyReply());
        return rowsOf(store);
      };
      expect(ask(40_000, 9)).toBe(2_001); // all of them still say something
      expect(ask(40_000, 12)).toBe(1);
    },
  );

  test("keeps what a question has found in it", () => {
    // The row of the first level has run out, and every sweep comes when the second is looked for.
    const levels = [level("fixed_window", { rate: 9, per: 1 }), level("fixed_window", other)];
    const store = memoryStore();
    const question = atHand(store, store).bind(levels);
    const alone = atHand(store, store).bind([levels[1]!]);
    const reply = emptyReply();
    for (let i = 0; i < 300; i++) {
      for (let j = 0; j < i % 64; j++) alone.take(client("bob"), atUs(i * 10), "ask", reply);
      question.take(client("alice"), atUs(i * 10), "spend", reply);
      expect(store.tables.get(`counter/${levels[0]!.budget.space}`)!.rows.byIdentity.size).toBe(1);
    }
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
