import type { Mutant } from "#src/studies/mutants/mutant.ts";
import type { LargestQuota } from "../private.ts";

export const mutant: Mutant<LargestQuota> = {
  about: "the smallest quota of the policies counts",
  breaks: ["LIM-C9"],
  replaces: "limiter/core/resolve/merge.ts#largestQuota",
  by: (_right, known) =>
    known.flatMap(({ quota }) => quota ?? []).toSorted((a, b) => a.max - b.max)[0] ?? null,
};
