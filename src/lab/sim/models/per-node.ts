import { withAlgorithm } from "../../../limiter/core/select.ts";
import { capacityOf } from "../../../limiter/core/limit.ts";
import type { Level } from "../../../limiter/core/store.ts";
import { localStore, memoryStore, sizeOf } from "../../../limiter/store/memory.ts";
import type { Model } from "../engine.ts";

/** Each gateway admits the complete limit with its own counter, in windows of its clock, and sends no messages. */
export function perNode(): Model {
  const stores = new Map<number, ReturnType<typeof memoryStore>>();
  return {
    gateway: (_, { index }) => {
      const own = memoryStore();
      stores.set(index, own);
      const { bind, perform } = localStore(own, own);
      return {
        bind: (levels) => bind(levels.map(whole)),
        perform: (op) =>
          perform(
            op.op === "take"
              ? { ...op, levels: op.levels.map(whole) }
              : { ...op, level: whole(op.level) },
          ),
      };
    },
    countCounters: () =>
      [...stores.values()].reduce((sum, store) => sum + sizeOf(store).budgets, 0),
  };
}

const whole = (level: Level): Level => ({
  ...withAlgorithm(level, "fixed_window"),
  capacity: capacityOf(level.budget.limit),
  startsAtClock: true,
});
