import type { credentialIn } from "#src/gateway/credential.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

export const mutant: Mutant<typeof credentialIn> = {
  about: "a bearer is known in one spelling alone",
  breaks: ["MGT-C9"],
  replaces: "gateway/credential.ts#credentialIn",
  by: (right, headers) => {
    const { authorization } = headers;
    return typeof authorization === "string" && !authorization.startsWith("Bearer ")
      ? authorization
      : right(headers);
  },
};
