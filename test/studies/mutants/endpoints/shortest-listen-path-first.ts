import type { apiAt } from "#src/gateway/routes.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

export const mutant: Mutant<typeof apiAt> = {
  about: "the API with the shortest listen path that fits is taken",
  breaks: ["EPT-C1"],
  replaces: "gateway/routes.ts#apiAt",
  by: (right, routes, path) => right({ ...routes, few: routes.few?.toReversed() ?? null }, path),
};
