import type { settle } from "#src/limiter/core/smoothing.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

export const mutant: Mutant<typeof settle> = {
  about: "an allowance that nobody has used for long is not begun anew",
  breaks: ["SMO-C6"],
  replaces: "limiter/core/smoothing.ts#settle",
  by: (right, rule, stored, attempts, perUs, nowUs) => {
    const isIdle = stored !== null && stored.value === rule.threshold;
    return right(
      rule,
      isIdle ? { ...stored, lastUs: nowUs, absentFromUs: Infinity } : stored,
      attempts,
      perUs,
      nowUs,
    );
  },
};
