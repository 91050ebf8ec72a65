import type { isNeverStored } from "#src/limiter/store/imitation/buckets.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

export const mutant: Mutant<typeof isNeverStored> = {
  about: "a bucket that its limiter never stores is stored, and limits",
  breaks: ["ALG-C11"],
  replaces: "limiter/store/imitation/buckets.ts#isNeverStored",
  by: () => false,
};
