// A store in memory that deletes nothing. Memory deletes budgets that have ended, which no reply shows unless the clock goes
// back, or another bound of a log comes with a reload: then Redis still has them.
import type { StoreOp } from "#src/limiter/core/store.ts";
import { performNow } from "#src/limiter/core/sequence.ts";
import { localStore, memoryStore } from "#src/limiter/store/memory.ts";

/** Opening the row of a client sweeps others, so every row is opened by `first`, whose budgets have not ended. */
export function storeWithoutSweeps(first: readonly StoreOp[]): ReturnType<typeof localStore> {
  const own = memoryStore();
  const store = localStore(own, memoryStore());
  for (const op of first) performNow(store, op);
  for (const { rows } of own.tables.values()) rows.untilSweep = Number.POSITIVE_INFINITY;
  return store;
}
