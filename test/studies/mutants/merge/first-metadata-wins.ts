import type { mergeMetaData } from "#src/limiter/core/resolve/merge.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

export const mutant: Mutant<typeof mergeMetaData> = {
  about: "earlier policies are laid over later ones",
  breaks: ["LIM-C8"],
  replaces: "limiter/core/resolve/merge.ts#mergeMetaData",
  by: (right, key, policies) =>
    right({ ...key, applyPolicies: key.applyPolicies.toReversed() }, policies),
};
