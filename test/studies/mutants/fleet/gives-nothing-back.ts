import type { Sequence } from "#src/limiter/core/sequence.ts";
import type { Steps } from "#src/limiter/core/store.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

type Undo = (sequence: Sequence, before: number) => Steps<void>;

export const mutant: Mutant<Undo> = {
  about: "what a share has taken is not given back when the store refuses",
  breaks: ["LIM-C1"],
  replaces: "limiter/core/sequence.ts#refundBefore",
  by: function* () {},
};
