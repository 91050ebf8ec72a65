import type { settle } from "#src/limiter/core/smoothing.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

export const mutant: Mutant<typeof settle> = {
  about: "a fall that is made up is no event",
  breaks: ["EVT-1", "SMO-C6"],
  replaces: "limiter/core/smoothing.ts#settle",
  by: (right, rule, stored, attempts, perUs, nowUs) => {
    const settled = right(rule, stored, attempts, perUs, nowUs);
    return { ...settled, changes: settled.changes.filter(({ atUs }) => atUs === nowUs) };
  },
};
