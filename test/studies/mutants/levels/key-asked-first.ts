import type { Mutant } from "#src/studies/mutants/mutant.ts";
import type { MakeLevels } from "../private.ts";

export const mutant: Mutant<MakeLevels> = {
  about: "the limit of the key answers where the one of the API refuses too",
  breaks: ["LIM-2", "LIM-C1"],
  replaces: "limiter/core/limiter.ts#buildPrepared",
  by: (right, limiter, resolved, gateways) => {
    const { api, key } = resolved;
    return { ...right(limiter, { ...resolved, api: key, key: api }, gateways), resolved };
  },
};
