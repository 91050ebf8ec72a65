import type { Mutant } from "#src/studies/mutants/mutant.ts";
import type { SENTINEL } from "#src/limiter/algorithms/sentinel/memory.ts";

export const mutant: Mutant<(typeof SENTINEL)["evaluate"]> = {
  about: "the sentinel blocks at the very instant at which its mark ends",
  breaks: ["ALG-C5"],
  replaces: "limiter/algorithms/sentinel/memory.ts#SENTINEL.evaluate",
  by: (right, one, atUs, written, units) =>
    one.table.marks.get(one.row)?.untilUs === atUs ? 1 : right(one, atUs, written, units),
};
