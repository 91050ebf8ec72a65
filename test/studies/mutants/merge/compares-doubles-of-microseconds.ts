import { isUnlimited, type compareEffectiveRate } from "#src/limiter/core/limit.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

export const mutant: Mutant<typeof compareEffectiveRate> = {
  about:
    "effective rates are compared in floating point by the microsecond, where other ties are lost",
  breaks: ["LIM-C2", "LIM-C4"],
  replaces: "limiter/core/limit.ts#compareEffectiveRate",
  by: (right, a, b) =>
    isUnlimited(a) || isUnlimited(b) ? right(a, b) : a.rate / a.perUs - b.rate / b.perUs,
};
