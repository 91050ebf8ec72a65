import type { Mutant } from "#src/studies/mutants/mutant.ts";
import type { mark } from "#src/limiter/algorithms/sentinel/memory.ts";

export const mutant: Mutant<typeof mark> = {
  about:
    "the sentinel leaves its mark where it is when fewer attempts are in the window than it may admit",
  breaks: ["ALG-C5"],
  replaces: "limiter/algorithms/sentinel/memory.ts#mark",
  by: (right, one, client, atUs, reply, units) => {
    const before = one.table.marks;
    const known = new Map(before);
    const answer = right(one, client, atUs, reply, units);
    const untilUs = (known.get(one.row)?.untilUs ?? 0) + one.table.perUs;
    const mark = before.get(one.row)!;
    if (mark.untilUs === 0 && untilUs > one.table.perUs) before.set(one.row, { ...mark, untilUs });
    return answer;
  },
};
