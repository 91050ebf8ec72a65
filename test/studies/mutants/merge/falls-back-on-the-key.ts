import type { merge } from "#src/limiter/core/resolve/merge.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

export const mutant: Mutant<typeof merge> = {
  about: "a key whose policies are all unknown falls back on what it has itself",
  breaks: ["LIM-C7"],
  replaces: "limiter/core/resolve/merge.ts#merge",
  by: (right, key, policies) => ({ ...right(key, policies), hasNoKnownPolicy: false }),
};
