import type { GatewayOptions } from "#src/limiter/core/config.ts";
import type { Budget } from "#src/limiter/core/budget.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

type Reached = (options: GatewayOptions, budget: Budget, by: Budget) => boolean;

export const mutant: Mutant<Reached> = {
  about:
    "a limit is said never to refuse where one window of another admits fewer, whatever their lengths",
  breaks: ["LIM-C15"],
  replaces: "limiter/world/never-refuses.ts#isNeverReached",
  by: (right, options, budget, by) =>
    right(options, budget, { ...by, limit: { ...by.limit, perUs: budget.limit.perUs } }),
};
