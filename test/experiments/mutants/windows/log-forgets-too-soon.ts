import type { waitUnwritten } from "../../../../src/core/algorithm/log.ts";
import type { Mutant } from "../../../../src/experiments/mutants/mutant.ts";

export const mutant: Mutant<typeof waitUnwritten> = {
  about: "an attempt is forgotten a microsecond before its window ends",
  breaks: ["ALG-C2"],
  replaces: "core/algorithm/log.ts#waitUnwritten",
  by: (right) => (rows, row, k, perUs, nowUs) => right(rows, row, k, perUs, nowUs + 1),
};
