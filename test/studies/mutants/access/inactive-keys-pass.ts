import type { Mutant } from "#src/studies/mutants/mutant.ts";
import type { RefusalOf } from "../private.ts";

export const mutant: Mutant<RefusalOf> = {
  about: "an inactive key is served like any other",
  breaks: ["MGT-C9", "LIM-C7"],
  replaces: "gateway/route.ts#refusalOf",
  by: (right, gateway, session, api, nowUs) => {
    const { profile } = session;
    const merged = { ...profile.merged, inactive: false };
    return right(gateway, { ...session, profile: { ...profile, merged } }, api, nowUs);
  },
};
