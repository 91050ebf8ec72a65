import type { mergedMetaData } from "../../../../src/core/resolve/merge.ts";
import type { Mutant } from "../../../../src/experiments/mutants/mutant.ts";

export const mutant: Mutant<typeof mergedMetaData> = {
  about: "earlier policies are laid over later ones",
  breaks: ["LIM-C8"],
  replaces: "core/resolve/merge.ts#mergedMetaData",
  by: (right) => (key, policies) =>
    right({ ...key, applyPolicies: key.applyPolicies.toReversed() }, policies),
};
