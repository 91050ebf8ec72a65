// The contract of stores is not only for Redis: it takes a store with no server at all, and fails one that is wrong.
import * as fc from "fast-check";
import { expect, test } from "vitest";
import type { LocalStore, StoreOp } from "#src/limiter/core/store.ts";
import { performNow } from "#src/limiter/core/sequence.ts";
import { BUSY } from "#src/studies/swarm/arbitrary/traffic.ts";
import { RICH } from "#src/studies/swarm/arbitrary/worlds.ts";
import { localStore, memoryStore } from "#src/limiter/store/memory.ts";
import { SEED } from "../runs.ts";
import { repliesAsMemory, type TestedStore } from "./store-contract.ts";

/** A store that replies after the call returns; `change` makes it wrong. */
function laterStore(change: (op: StoreOp) => StoreOp = (op) => op): TestedStore {
  let memory: LocalStore = localStore(memoryStore(), memoryStore());
  return {
    send: (op, _timeoutUs, resolve) => {
      const reply = performNow(memory, change(op));
      queueMicrotask(() => resolve(reply));
    },
    clear: () => {
      memory = localStore(memoryStore(), memoryStore());
      return Promise.resolve();
    },
  };
}

const passes = async (store: TestedStore): Promise<boolean> =>
  !(
    await fc.check(
      repliesAsMemory(() => store, RICH, BUSY),
      { seed: SEED, numRuns: 200 },
    )
  ).failed;

test("a store that only replies later passes", async () => {
  expect(await passes(laterStore())).toBe(true);
});

test.each<[string, (op: StoreOp) => StoreOp]>([
  ["spends what was only tried", (op) => (op.op === "take" ? { ...op, intent: "spend" } : op)],
  ["takes its own time", (op) => ("atUs" in op ? { ...op, atUs: 0 as typeof op.atUs } : op)],
  [
    "counts one level of several",
    (op) => (op.op === "take" ? { ...op, levels: op.levels.slice(0, 1) } : op),
  ],
])("a store that %s does not pass", async (_, change) => {
  expect(await passes(laterStore(change))).toBe(false);
});
