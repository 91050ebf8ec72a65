import type { waitForNext } from "#src/limiter/algorithms/sliding-log/rule.ts";
import { countOf } from "#src/limiter/algorithms/sliding-log/stamps.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

export const mutant: Mutant<typeof waitForNext> = {
  about: "Retry-After of a log waits for its oldest attempt",
  breaks: ["HDR-C1"],
  replaces: "limiter/algorithms/sliding-log/rule.ts#waitForNext",
  by: (right, rows, row, k, perUs, nowUs, units, next) =>
    right(rows, row, k < 1 ? k : Math.max(k, countOf(rows, row)), perUs, nowUs, units, next),
};
