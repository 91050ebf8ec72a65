import type { waitUnwritten } from "../../../src/core/algorithm/log.ts";
import type { Mutant } from "../../../src/mutants/mutant.ts";

export const mutant: Mutant<typeof waitUnwritten> = {
  about: "an attempt counts while it is exactly one window old",
  breaks: ["ALG-C2"],
  replaces: "core/algorithm/log.ts#waitUnwritten",
  by: (right) => (rows, row, k, perUs, nowUs) => right(rows, row, k, perUs, nowUs - 1),
};
