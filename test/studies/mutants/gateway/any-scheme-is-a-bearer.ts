import type { credentialIn } from "#src/gateway/credential.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

export const mutant: Mutant<typeof credentialIn> = {
  about: "whatever scheme a credential comes with is a bearer's",
  breaks: ["MGT-C9"],
  replaces: "gateway/credential.ts#credentialIn",
  by: (right, headers) => right(headers)?.replace(/^[a-z]+ +/i, "") ?? null,
};
