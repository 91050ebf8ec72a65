import type { userFoundBy } from "#src/gateway/management/families/user.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

export const mutant: Mutant<typeof userFoundBy> = {
  about: "two users may have one address, in capitals and in small letters",
  breaks: ["MGT-C8"],
  replaces: "gateway/management/families/user.ts#userFoundBy",
  by: (right, document) => ({
    ...right(document),
    unique: document["email_address"] as string,
  }),
};
