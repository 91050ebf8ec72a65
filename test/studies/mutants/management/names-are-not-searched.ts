import type { userFoundBy } from "#src/gateway/management/families/user.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

export const mutant: Mutant<typeof userFoundBy> = {
  about: "a search looks at addresses alone",
  breaks: ["MGT-C3"],
  replaces: "gateway/management/families/user.ts#userFoundBy",
  by: (right, document) => right({ email_address: document["email_address"] ?? "" }),
};
