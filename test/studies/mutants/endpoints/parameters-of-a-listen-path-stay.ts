import { withinApi, type entryPath } from "#src/gateway/routes.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

export const mutant: Mutant<typeof entryPath> = {
  about: "below a listen path that has a parameter, parameters make a difference after all",
  breaks: ["EPT-C7"],
  replaces: "gateway/routes.ts#entryPath",
  by: (right, options, api, target, path) =>
    api.definition.listenPath.includes(";")
      ? withinApi(api, path)
      : right(options, api, target, path),
};
