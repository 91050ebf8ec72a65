import type { Mutant } from "../../../../src/experiments/mutants/mutant.ts";
import type { SENTINEL } from "../../../../src/store/sentinel.ts";

export const mutant: Mutant<(typeof SENTINEL)["judge"]> = {
  about: "the sentinel blocks at the very instant at which its mark ends",
  breaks: ["ALG-C5"],
  replaces: "store/sentinel.ts#SENTINEL.judge",
  by: (right) => (one, atUs, written) =>
    one.table.marks.get(one.row)?.untilUs === atUs ? 1 : right(one, atUs, written),
};
