import type { mergeMetaData } from "#src/limiter/core/resolve/merge.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

export const mutant: Mutant<typeof mergeMetaData> = {
  about: "the metadata of the key is laid over that of its policies",
  breaks: ["LIM-C8"],
  replaces: "limiter/core/resolve/merge.ts#mergeMetaData",
  by: (right, key, policies) => ({ ...right(key, policies), ...key.metaData }),
};
