import type { inSequence } from "../../../src/core/sequence.ts";
import { hasFailed, type Answer, type StoreFailure } from "../../../src/core/store.ts";
import type { Mutant } from "../../../src/mutants/mutant.ts";

export const mutant: Mutant<typeof inSequence> = {
  about: "a store that fails after a level has refused makes the refusal void",
  breaks: ["LIM-C1", "ALG-C8"],
  replaces: "core/sequence.ts#inSequence",
  by: (right) =>
    function* (sequence) {
      let failure: StoreFailure | null = null;
      const steps = right(sequence);
      let next = steps.next();
      while (next.done !== true) {
        const answer: Answer = yield next.value;
        if (hasFailed(answer)) failure = answer;
        next = steps.next(answer);
      }
      return failure ?? next.value;
    },
};
