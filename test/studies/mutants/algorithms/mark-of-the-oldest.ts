import { countOf, newest } from "#src/limiter/algorithms/sliding-log/stamps.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";
import type { mark } from "#src/limiter/algorithms/sentinel/memory.ts";

export const mutant: Mutant<typeof mark> = {
  about: "the sentinel's mark ends when the oldest attempt of the window leaves it",
  breaks: ["ALG-C5"],
  replaces: "limiter/algorithms/sentinel/memory.ts#mark",
  by: (right, one, client, atUs, reply, units) => {
    const answer = right(one, client, atUs, reply, units);
    const { marks, perUs, stamps } = one.table;
    const untilUs = newest(stamps, one.row, countOf(stamps, one.row)) + perUs;
    const mark = marks.get(one.row)!;
    if (mark.untilUs > 0 && !one.level.fixedMark) marks.set(one.row, { ...mark, untilUs });
    return answer;
  },
};
