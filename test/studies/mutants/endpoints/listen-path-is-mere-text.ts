import type { apiAt } from "#src/gateway/routes.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

export const mutant: Mutant<typeof apiAt> = {
  about: "a listen path is the beginning of a text instead of whole segments",
  breaks: ["EPT-C1"],
  replaces: "gateway/routes.ts#apiAt",
  by: (right, routes, path) =>
    routes.few?.find(({ definition }) => path.startsWith(definition.listenPath)) ??
    right(routes, path),
};
