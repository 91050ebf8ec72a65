import type { waitUnwritten } from "../../../../src/core/algorithm/log.ts";
import type { Mutant } from "../../../../src/experiments/mutants/mutant.ts";

export const mutant: Mutant<typeof waitUnwritten> = {
  about: "a log refuses when the rate has been passed, not when it would be",
  breaks: ["LIM-1", "ALG-C2"],
  replaces: "core/algorithm/log.ts#waitUnwritten",
  by: (right) => (rows, row, k, perUs, nowUs) => right(rows, row, k < 1 ? k : k + 1, perUs, nowUs),
};
