import type { Sequence } from "#src/limiter/core/sequence.ts";
import type { Steps } from "#src/limiter/core/store.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

type Undo = (sequence: Sequence, before: number) => Steps<void>;

export const mutant: Mutant<Undo> = {
  about: "what a level has taken is given back once more when the store fails after a refusal",
  breaks: ["LIM-C1"],
  replaces: "limiter/core/sequence.ts#refundBefore",
  by: function* (right, sequence, before) {
    yield* right(sequence, before);
    yield* right(sequence, before);
  },
};
