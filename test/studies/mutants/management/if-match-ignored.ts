import type { requireVersion } from "#src/gateway/management/if-match.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

export const mutant: Mutant<typeof requireVersion> = {
  about: "who means another version changes the record all the same",
  breaks: ["MGT-C5"],
  replaces: "gateway/management/if-match.ts#requireVersion",
  by: () => {},
};
