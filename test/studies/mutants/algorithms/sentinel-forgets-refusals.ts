import type { needsBackgroundWrite } from "#src/limiter/core/limiter.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

export const mutant: Mutant<typeof needsBackgroundWrite> = {
  about: "the sentinel writes behind an admitted request only",
  breaks: ["ALG-3", "ALG-C5"],
  replaces: "limiter/core/limiter.ts#needsBackgroundWrite",
  by: (_right, _prepared, _index, { refused }) => refused === null,
};
