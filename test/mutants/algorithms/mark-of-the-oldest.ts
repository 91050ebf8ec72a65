import { countOf, newest } from "../../../src/core/algorithm/stamps.ts";
import type { Mutant } from "../../../src/mutants/mutant.ts";
import type { mark } from "../../../src/store/sentinel.ts";

export const mutant: Mutant<typeof mark> = {
  about: "the sentinel's mark ends when the oldest attempt of the window leaves it",
  breaks: ["ALG-C5"],
  replaces: "store/sentinel.ts#mark",
  by: (right) => (one, asking, atUs, reply) => {
    const answer = right(one, asking, atUs, reply);
    const { marks, perUs, stamps } = one.table;
    const oldestUs = newest(stamps, one.row, countOf(stamps, one.row));
    if (marks.has(one.row) && !one.level.fixedMark) marks.set(one.row, oldestUs + perUs);
    return answer;
  },
};
