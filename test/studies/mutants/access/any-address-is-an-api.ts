import type { apiAt } from "#src/gateway/routes.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

export const mutant: Mutant<typeof apiAt> = {
  about: "what no API listens on is served by the first one",
  breaks: ["MGT-C9", "EPT-C1"],
  replaces: "gateway/routes.ts#apiAt",
  by: (right, routes, path) => right(routes, path) ?? routes.few?.[0] ?? null,
};
