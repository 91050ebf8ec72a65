import type { waitUnwritten } from "#src/limiter/algorithms/sliding-log/rule.ts";
import { countAfter } from "#src/limiter/algorithms/sliding-log/stamps.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

export const mutant: Mutant<typeof waitUnwritten> = {
  about: "attempts that a clock ahead has stamped later than now are not counted",
  breaks: ["ALG-C2"],
  replaces: "limiter/algorithms/sliding-log/rule.ts#waitUnwritten",
  by: (right, rows, row, k, perUs, nowUs, units) =>
    right(rows, row, k < 1 ? k : k + countAfter(rows, row, nowUs), perUs, nowUs, units),
};
