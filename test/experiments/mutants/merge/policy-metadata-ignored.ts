import type { mergedMetaData } from "../../../../src/core/resolve/merge.ts";
import type { Mutant } from "../../../../src/experiments/mutants/mutant.ts";

export const mutant: Mutant<typeof mergedMetaData> = {
  about: "only the metadata of the key itself is read",
  breaks: ["LIM-C8"],
  replaces: "core/resolve/merge.ts#mergedMetaData",
  by: () => (key) => key.metaData,
};
