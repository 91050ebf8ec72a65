import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { client } from "#src/limiter/core/client.ts";
import { emptyReply, type Level } from "#src/limiter/core/store.ts";
import { localStore, memoryStore, type MemoryStore } from "#src/limiter/store/memory.ts";
import { atUs, level } from "./budgets.ts";

const RATE = { rate: 5, per: 60 };

/** One request of each of `keys` clients, `everySeconds` apart. */
function flood(one: Level, keys: number, everySeconds: number): MemoryStore {
  const store = memoryStore();
  const question = localStore(store, store).bind([one]);
  const reply = emptyReply();
  for (let i = 0; i < keys; i++)
    question.take(client(`key:${i}`), atUs(i * everySeconds), "spend", reply, 1);
  return store;
}

const rowsOf = ({ tables }: MemoryStore): number =>
  [...tables.values()].reduce((sum, { rows }) => sum + rows.byIdentity.size, 0);

describe("a million distinct keys at one moment", () => {
  /** As a process reports its own memory. */
  const bytesOf = (what: string): number => {
    const file = join(import.meta.dirname, "flood-memory.node.ts");
    const flags = ["--expose-gc", "--disable-warning=ExperimentalWarning"];
    return Number(execFileSync(process.execPath, [...flags, file, what], { encoding: "utf8" }));
  };
  let control = Number.NaN;
  beforeAll(() => void (control = bytesOf("control")));

  test.each([
    ["fixed_window", 70, 1],
    ["sliding_log", 100, 1.2],
  ] as const)(
    "%s: at most %d bytes each without their names, and %d times the memory of a Map of small objects",
    (algorithm, most, ratio) => {
      const bytes = bytesOf(algorithm);
      expect(bytes).toBeLessThan(most);
      expect(bytes / control).toBeLessThan(ratio);
    },
  );
});

describe("a table without further requests", () => {
  const other = { rate: 5, per: 60 };

  test.each(["fixed_window", "sliding_log", "token_bucket"] as const)(
    "%s: drops its rows while another table gets requests",
    (algorithm) => {
      const store = flood(level(algorithm, { rate: 5, per: 10 }), 2_000, 0);
      const question = localStore(store, store).bind([level(algorithm, other)]);
      const alice = client("alice");
      const rowsAfter = (times: number, seconds: number): number => {
        for (let i = 0; i < times; i++)
          question.take(alice, atUs(seconds), "spend", emptyReply(), 1);
        return rowsOf(store);
      };
      expect(rowsAfter(40_000, 9)).toBe(2_001); // all of them still count
      expect(rowsAfter(40_000, 12)).toBe(1);
    },
  );

  test("keeps the row of an operation that is under way", () => {
    // The row of the first level has run out, and every sweep runs when the second is looked up.
    const levels = [level("fixed_window", { rate: 9, per: 1 }), level("fixed_window", other)];
    const store = memoryStore();
    const question = localStore(store, store).bind(levels);
    const alone = localStore(store, store).bind([levels[1]!]);
    const reply = emptyReply();
    for (let i = 0; i < 300; i++) {
      for (let j = 0; j < i % 64; j++)
        alone.take(client("bob"), atUs(i * 10), "evaluate", reply, 1);
      question.take(client("alice"), atUs(i * 10), "spend", reply, 1);
      expect(store.tables.get(`counter/${levels[0]!.budget.space}`)!.rows.byIdentity.size).toBe(1);
    }
  });
});

describe("a flood that goes on", () => {
  test.each(["fixed_window", "sliding_log", "token_bucket"] as const)(
    "%s: holds little more than what its window holds, and never more",
    (algorithm) => {
      // A thousand new keys a second, and a window of a minute: 61,000 budgets count at any moment.
      const store = flood(level(algorithm, RATE), 150_000, 0.001);
      expect(rowsOf(store)).toBeGreaterThanOrEqual(60_000);
      expect(rowsOf(store)).toBeLessThan(2 * 61_000);
    },
  );
});
