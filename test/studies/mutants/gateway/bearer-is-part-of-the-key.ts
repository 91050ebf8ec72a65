import type { credentialIn } from "#src/gateway/credential.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

export const mutant: Mutant<typeof credentialIn> = {
  about: "the scheme is taken for a part of the key",
  breaks: ["MGT-C9"],
  replaces: "gateway/credential.ts#credentialIn",
  by: (right, headers) => [headers["authorization"] ?? right(headers)].flat()[0] ?? null,
};
