import type { compareEffectiveRate } from "#src/limiter/core/limit.ts";
import { isUnlimited } from "#src/limiter/core/limit.ts";
import { SECOND } from "#src/kit/units.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

export const mutant: Mutant<typeof compareEffectiveRate> = {
  about: "effective rates are compared in floating point, where ties are lost",
  breaks: ["LIM-C2", "LIM-C4"],
  replaces: "limiter/core/limit.ts#compareEffectiveRate",
  by: (right, a, b) =>
    isUnlimited(a) || isUnlimited(b)
      ? right(a, b)
      : a.rate / (a.perUs / SECOND) - b.rate / (b.perUs / SECOND),
};
