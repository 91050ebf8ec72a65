import type { Decision } from "#src/limiter/core/decision.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

export const mutant: Mutant<(decision: Decision) => boolean> = {
  about: "a request waits for the limit of an API too",
  breaks: ["LIM-C9"],
  replaces: "gateway/begin.ts#isKeysRate",
  by: (_right, { refused }) => refused === "rate",
};
