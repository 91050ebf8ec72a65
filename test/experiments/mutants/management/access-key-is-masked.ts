import type { shownUser } from "../../../../src/management/families/user.ts";
import type { Mutant } from "../../../../src/experiments/mutants/mutant.ts";

export const mutant: Mutant<typeof shownUser> = {
  about: "a user's access key is stars",
  breaks: ["MGT-5"],
  replaces: "management/families/user.ts#shownUser",
  by: (right) => (management, stored) => ({ ...right(management, stored), access_key: "***" }),
};
