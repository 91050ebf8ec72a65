import type { Mutant } from "#src/studies/mutants/mutant.ts";
import type { StepsOf } from "../private.ts";

export const mutant: Mutant<StepsOf> = {
  about: "of two quotas the key's is spent before that of the API is asked",
  breaks: ["LIM-C9"],
  replaces: "limiter/core/sequence.ts#stepsOf",
  by: (_right, levels) => levels.map((level) => [level]),
};
