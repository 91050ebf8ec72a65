import type { requireVersion } from "#src/gateway/management/if-match.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

export const mutant: Mutant<typeof requireVersion> = {
  about: "If-Match: * matches no record",
  breaks: ["MGT-C5"],
  replaces: "gateway/management/if-match.ts#requireVersion",
  by: (right, ifMatch, stored) => right(ifMatch === "*" ? '"0"' : ifMatch, stored),
};
