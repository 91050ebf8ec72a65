import type { withinApi } from "#src/gateway/routes.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

export const mutant: Mutant<typeof withinApi> = {
  about: "patterns are matched against the path with the listen path",
  breaks: ["EPT-C1"],
  replaces: "gateway/routes.ts#withinApi",
  by: (_right, _api, path) => path,
};
