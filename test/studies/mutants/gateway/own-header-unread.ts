import type { credentialIn } from "#src/gateway/credential.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

export const mutant: Mutant<typeof credentialIn> = {
  about: "the key's own header is not read",
  breaks: ["MGT-C9"],
  replaces: "gateway/credential.ts#credentialIn",
  by: (right, headers) => right({ ...headers, "x-api-key": undefined }),
};
