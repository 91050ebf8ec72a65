import type { Mutant } from "#src/studies/mutants/mutant.ts";

export const mutant: Mutant<() => void> = {
  about: "what the partitions of a policy leave out is not reported",
  breaks: ["LIM-C9", "LIM-C14"],
  replaces: "limiter/world/policy.ts#warnLeftOut",
  by: () => {},
};
