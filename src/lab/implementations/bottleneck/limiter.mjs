// A job that finds too few units in the reservoir waits for the next refresh. With no place in the queue it is refused.
import Bottleneck from "bottleneck";

/** It looks for a refresh as often. */
const STEP_MS = 250;

export const limiter = {
  package: "bottleneck",
  cost: true,
  cannot: ({ perMs }) =>
    perMs % STEP_MS === 0
      ? []
      : [`it refreshes every ${STEP_MS} ms, and the window is ${perMs} ms`],
  create: ({ limit, perMs }) => {
    const budgets = new Map();
    return {
      decide: async (key, cost) => {
        let budget = budgets.get(key);
        if (budget === undefined) {
          budget = new Bottleneck({
            reservoir: limit,
            reservoirRefreshAmount: limit,
            reservoirRefreshInterval: perMs,
            highWater: 0,
            strategy: Bottleneck.strategy.OVERFLOW,
          });
          budgets.set(key, budget);
        }
        const admitted = await budget
          .schedule({ weight: cost }, () => Promise.resolve(true))
          .catch((error) => {
            if (error instanceof Bottleneck.BottleneckError) return false;
            throw error;
          });
        return { admitted, remaining: await budget.currentReservoir() };
      },
    };
  },
};
