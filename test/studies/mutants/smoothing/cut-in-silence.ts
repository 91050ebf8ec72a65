import type { settle } from "#src/limiter/core/smoothing.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

export const mutant: Mutant<typeof settle> = {
  about: "a cut to new bounds is no event",
  breaks: ["EVT-1"],
  replaces: "limiter/core/smoothing.ts#settle",
  by: (right, rule, stored, attempts, perUs, nowUs) => {
    const settled = right(rule, stored, attempts, perUs, nowUs);
    return settled.isCut ? { ...settled, changes: settled.changes.slice(0, -1) } : settled;
  },
};
