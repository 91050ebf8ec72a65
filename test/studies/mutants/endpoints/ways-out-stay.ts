import { normalizePath } from "#src/gateway/path.ts";
import { withinApi, type entryPath } from "#src/gateway/routes.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

export const mutant: Mutant<typeof entryPath> = {
  about: "a path that leads out of the listen path without its parameters keeps them",
  breaks: ["EPT-C7"],
  replaces: "gateway/routes.ts#entryPath",
  by: (right, options, api, target, path) => {
    const { listenPath } = api.definition;
    const isOut = !listenPath.includes(";") && !normalizePath(target, true)?.startsWith(listenPath);
    return isOut ? withinApi(api, path) : right(options, api, target, path);
  },
};
