import type { throttleAt } from "#src/limiter/core/resolve/merge.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

export const mutant: Mutant<typeof throttleAt> = {
  about: "with policy budgets apart a request waits by the throttling of policies of other APIs",
  breaks: ["LIM-C6", "LIM-C9"],
  replaces: "limiter/core/resolve/merge.ts#throttleAt",
  by: (_right, merged, grant) => grant.throttle ?? merged.throttle,
};
