import type { performNow } from "#src/limiter/core/sequence.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

export const mutant: Mutant<typeof performNow> = {
  about: "the pipeline adds an attempt before it counts, and so counts it twice",
  breaks: ["ALG-C2", "ALG-C6"],
  replaces: "limiter/core/sequence.ts#performNow",
  by: (right, atHand, op) => {
    const answer = right(atHand, op);
    if (op.op === "pipeline") answer.count += 1;
    return answer;
  },
};
