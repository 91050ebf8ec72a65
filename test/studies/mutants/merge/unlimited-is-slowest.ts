import type { compareEffectiveRate } from "#src/limiter/core/limit.ts";
import { isUnlimited } from "#src/limiter/core/limit.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

export const mutant: Mutant<typeof compareEffectiveRate> = {
  about: "-1 is the lowest rate of all",
  breaks: ["LIM-C4"],
  replaces: "limiter/core/limit.ts#compareEffectiveRate",
  by: (right, a, b) => (isUnlimited(a) || isUnlimited(b) ? -right(a, b) : right(a, b)),
};
