import type { compareEffectiveRate } from "#src/limiter/core/limit.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

export const mutant: Mutant<typeof compareEffectiveRate> = {
  about: "a rate of 0 beats every number, as if it were no limit",
  breaks: ["LIM-C4", "LIM-C2"],
  replaces: "limiter/core/limit.ts#compareEffectiveRate",
  by: (right, a, b) => ((a.rate === 0) === (b.rate === 0) ? right(a, b) : a.rate === 0 ? 1 : -1),
};
