import type { isWrittenBehind } from "../../../../src/core/limiter.ts";
import type { Mutant } from "../../../../src/experiments/mutants/mutant.ts";

export const mutant: Mutant<typeof isWrittenBehind> = {
  about: "the sentinel writes behind an admitted request only",
  breaks: ["ALG-3", "ALG-C5"],
  replaces: "core/limiter.ts#isWrittenBehind",
  by:
    () =>
    (_prepared, _index, { refused }) =>
      refused === null,
};
