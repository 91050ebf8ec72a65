import type { keyCache } from "#src/gateway/management/key-cache.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

export const mutant: Mutant<typeof keyCache> = {
  about: "a key that came once is never looked up again",
  breaks: ["MGT-C5"],
  replaces: "gateway/management/key-cache.ts#keyCache",
  by: (right, most) => ({ ...right(most), forget: () => [] }),
};
