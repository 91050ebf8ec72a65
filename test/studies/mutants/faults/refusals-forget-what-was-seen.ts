import { budgetName } from "#src/limiter/core/budget.ts";
import type { Client } from "#src/limiter/core/client.ts";
import type { Limiter } from "#src/limiter/core/limiter.ts";
import type { Level, Reply } from "#src/limiter/core/store.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

type Remember = (limiter: Limiter, levels: readonly Level[], reply: Reply, client: Client) => void;

export const mutant: Mutant<Remember> = {
  about: "a refusal by another level overwrites what was seen of a quota or an allowance",
  breaks: ["ALG-C8"],
  replaces: "limiter/core/steps.ts#updateLastSeen",
  by: (right, limiter, levels, reply, client) => {
    right(limiter, levels, reply, client);
    for (const { budget, rule } of reply.refusedBy < 0 ? [] : levels)
      if (rule === null ? budget.scope === "quota" && reply.quotaLeft < 0 : reply.allowance < 0)
        limiter.lastSeen.set(budgetName(budget, client), 0);
  },
};
