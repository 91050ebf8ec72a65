import type { Mutant } from "#src/studies/mutants/mutant.ts";
import type { SENTINEL } from "#src/limiter/algorithms/sentinel/memory.ts";

export const mutant: Mutant<(typeof SENTINEL)["evaluate"]> = {
  about: "that there was no mark still counts after the limit was changed",
  breaks: ["ALG-C5", "MGT-C5"],
  replaces: "limiter/algorithms/sentinel/memory.ts#SENTINEL.evaluate",
  by: (right, one, atUs, written, units) => {
    const { table, row, level } = one;
    const mark = table.marks.get(row);
    if (mark !== undefined && level.rule === null && mark.untilUs <= atUs)
      table.marks.set(row, { ...mark, whole: level.capacity });
    return right(one, atUs, written, units);
  },
};
