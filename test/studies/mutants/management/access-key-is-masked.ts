import type { userView } from "#src/gateway/management/families/user.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

export const mutant: Mutant<typeof userView> = {
  about: "a user's access key is stars",
  breaks: ["MGT-5"],
  replaces: "gateway/management/families/user.ts#userView",
  by: (right, management, stored) => ({ ...right(management, stored), access_key: "***" }),
};
