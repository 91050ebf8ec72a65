import type { compareEffectiveRate } from "#src/limiter/core/limit.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

export const mutant: Mutant<typeof compareEffectiveRate> = {
  about: "effective rates that differ by less than a hundred-thousandth are a tie",
  breaks: ["LIM-C2", "LIM-5"],
  replaces: "limiter/core/limit.ts#compareEffectiveRate",
  by: (right, a, b) => {
    const [left, other] = [a.rate * b.perUs, b.rate * a.perUs];
    return Math.abs(left - other) < 1e-5 * Math.abs(left) ? 0 : right(a, b);
  },
};
