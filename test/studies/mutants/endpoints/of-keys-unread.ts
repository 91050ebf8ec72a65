import type { readAccessEndpoints } from "#src/limiter/world/endpoints.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

export const mutant: Mutant<typeof readAccessEndpoints> = {
  about: "limits for endpoints in access rights are not read",
  breaks: ["EPT-C5", "LIM-13"],
  replaces: "limiter/world/endpoints.ts#readAccessEndpoints",
  by: () => [],
};
