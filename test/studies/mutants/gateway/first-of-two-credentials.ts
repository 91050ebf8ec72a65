import type { hasTwoCredentials } from "#src/gateway/credential.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

export const mutant: Mutant<typeof hasTwoCredentials> = {
  about: "of two Authorization headers the first is the credential",
  breaks: ["MGT-C10"],
  found:
    "servers that keep the first of two headers of one name, behind proxies that check the last",
  replaces: "gateway/credential.ts#hasTwoCredentials",
  by: () => false,
};
