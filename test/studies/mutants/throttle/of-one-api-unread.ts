import type { throttleAt } from "#src/limiter/core/resolve/merge.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

export const mutant: Mutant<typeof throttleAt> = {
  about: "throttling in the limit of one API is stored only",
  breaks: ["LIM-C9"],
  replaces: "limiter/core/resolve/merge.ts#throttleAt",
  by: (_right, merged, grant) => (grant.roots ?? merged).throttle,
};
