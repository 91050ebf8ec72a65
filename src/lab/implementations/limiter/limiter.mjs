import { RateLimiter } from "limiter";

export const limiter = {
  package: "limiter",
  cost: true,
  create: ({ limit, perMs }) => {
    const budgets = new Map();
    return {
      decide: (key, cost) => {
        let budget = budgets.get(key);
        if (budget === undefined) {
          budget = new RateLimiter({ tokensPerInterval: limit, interval: perMs });
          budgets.set(key, budget);
        }
        const admitted = budget.tryRemoveTokens(cost);
        return { admitted, remaining: Math.floor(budget.getTokensRemaining()) };
      },
    };
  },
};
