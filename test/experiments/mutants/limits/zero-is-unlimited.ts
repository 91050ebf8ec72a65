import type { isUnlimited } from "../../../../src/core/limit.ts";
import type { Mutant } from "../../../../src/experiments/mutants/mutant.ts";

export const mutant: Mutant<typeof isUnlimited> = {
  about: "a rate of 0 is taken for no limit at all",
  breaks: ["LIM-C2", "LIM-C10"],
  replaces: "core/limit.ts#isUnlimited",
  by: () => (limit) => limit.rate <= 0,
};
