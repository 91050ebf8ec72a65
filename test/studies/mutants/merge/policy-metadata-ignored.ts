import type { mergeMetaData } from "#src/limiter/core/resolve/merge.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

export const mutant: Mutant<typeof mergeMetaData> = {
  about: "only the metadata of the key itself is read",
  breaks: ["LIM-C8"],
  replaces: "limiter/core/resolve/merge.ts#mergeMetaData",
  by: (_right, key) => key.metaData,
};
