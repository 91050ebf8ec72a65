import type { isLimitHeader } from "#src/gateway/headers.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

export const mutant: Mutant<typeof isLimitHeader> = {
  about: "the upstream's own limits are kept in the standard's form",
  breaks: ["HDR-C2"],
  replaces: "gateway/headers.ts#isLimitHeader",
  by: (right, name) => name.toLowerCase().startsWith("x-") && right(name),
};
