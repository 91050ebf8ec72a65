import { RateLimiterMemory } from "rate-limiter-flexible";

export const limiter = {
  package: "rate-limiter-flexible",
  cost: true,
  create: ({ limit, perMs }) => {
    const budget = new RateLimiterMemory({ points: limit, duration: perMs / 1000 });
    const answer = (admitted, { remainingPoints, msBeforeNext }) => ({
      admitted,
      remaining: remainingPoints,
      ...(admitted ? {} : { retry_after_us: msBeforeNext * 1000 }),
    });
    return {
      decide: async (key, cost) => {
        try {
          return answer(true, await budget.consume(key, cost));
        } catch (refused) {
          if (refused instanceof Error) throw refused;
          return answer(false, refused);
        }
      },
      change: (next) => {
        budget.points = next.limit;
        budget.duration = next.perMs / 1000;
      },
    };
  },
};
