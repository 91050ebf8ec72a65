import type { userView, User } from "#src/gateway/management/families/user.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

export const mutant: Mutant<typeof userView> = {
  about: "a user has the fields alone that somebody said",
  breaks: ["MGT-5"],
  replaces: "gateway/management/families/user.ts#userView",
  by: (_right, _, { id, document }) => ({ ...document, id }) as unknown as User,
};
