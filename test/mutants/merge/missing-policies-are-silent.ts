import type { merge } from "../../../src/core/resolve/merge.ts";
import type { Mutant } from "../../../src/mutants/mutant.ts";

export const mutant: Mutant<typeof merge> = {
  about: "an unknown policy is skipped without a word",
  breaks: ["LIM-C7", "EVT-C1"],
  replaces: "core/resolve/merge.ts#merge",
  by: (right) => (key, policies) => ({ ...right(key, policies), missing: [] }),
};
