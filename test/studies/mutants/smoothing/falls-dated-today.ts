import type { settle } from "#src/limiter/core/smoothing.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

export const mutant: Mutant<typeof settle> = {
  about: "a fall that is made up carries the time of the request that finds out",
  breaks: ["SMO-C6", "EVT-1"],
  replaces: "limiter/core/smoothing.ts#settle",
  by: (right, rule, stored, attempts, perUs, nowUs) => {
    const settled = right(rule, stored, attempts, perUs, nowUs);
    return { ...settled, changes: settled.changes.map((one) => ({ ...one, atUs: nowUs })) };
  },
};
