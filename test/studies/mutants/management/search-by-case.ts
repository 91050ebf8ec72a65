import type { normalizeSearch } from "#src/gateway/management/families/user.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

export const mutant: Mutant<typeof normalizeSearch> = {
  about: "a search tells capitals from small letters",
  breaks: ["MGT-C3"],
  replaces: "gateway/management/families/user.ts#normalizeSearch",
  by: (_right, text) => text,
};
