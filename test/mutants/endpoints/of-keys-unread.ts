import type { readAccessEndpoints } from "../../../src/core/read/endpoints.ts";
import type { Mutant } from "../../../src/mutants/mutant.ts";

export const mutant: Mutant<typeof readAccessEndpoints> = {
  about: "limits for endpoints in access rights are not read",
  breaks: ["EPT-C5", "LIM-13"],
  replaces: "core/read/endpoints.ts#readAccessEndpoints",
  by: () => () => [],
};
