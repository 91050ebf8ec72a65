import type { keyCache } from "../../../../src/management/known-keys.ts";
import type { Mutant } from "../../../../src/experiments/mutants/mutant.ts";

export const mutant: Mutant<typeof keyCache> = {
  about: "a key that came once is never looked up again",
  breaks: ["MGT-C5"],
  replaces: "management/known-keys.ts#keyCache",
  by: (right) => (most) => ({ ...right(most), forget: () => [] }),
};
