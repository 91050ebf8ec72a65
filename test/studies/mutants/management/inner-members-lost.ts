import type { profileView } from "#src/gateway/management/families/profile.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

export const mutant: Mutant<typeof profileView> = {
  about: "a profile comes back without its inner members",
  breaks: ["MGT-11"],
  replaces: "gateway/management/families/profile.ts#profileView",
  by: (right, management, stored) => ({
    ...right(management, stored),
    ProviderConstraints: { Domain: "", Group: "" },
  }),
};
