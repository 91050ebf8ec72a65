import type { mergedMetaData } from "../../../../src/core/resolve/merge.ts";
import type { Mutant } from "../../../../src/experiments/mutants/mutant.ts";

export const mutant: Mutant<typeof mergedMetaData> = {
  about: "the metadata of the key is laid over that of its policies",
  breaks: ["LIM-C8"],
  replaces: "core/resolve/merge.ts#mergedMetaData",
  by: (right) => (key, policies) => ({ ...right(key, policies), ...key.metaData }),
};
