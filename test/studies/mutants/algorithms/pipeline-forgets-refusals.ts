import type { Level, LevelsInput, StoreResult, Steps } from "#src/limiter/core/store.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

type Pipelined = (level: Level, input: LevelsInput) => Steps<StoreResult>;

export const mutant: Mutant<Pipelined> = {
  about: "the pipeline looks first, and does not write what it would refuse",
  breaks: ["ALG-3", "ALG-C6"],
  replaces: "limiter/core/sequence.ts#takeByCommands",
  by: (right, level, input) => right(level, { ...input, intent: "try" }),
};
