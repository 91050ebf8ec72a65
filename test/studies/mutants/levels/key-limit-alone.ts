import type { Mutant } from "#src/studies/mutants/mutant.ts";
import type { MakeLevels } from "../private.ts";

export const mutant: Mutant<MakeLevels> = {
  about: "where a key has a limit, that of the API is not judged",
  breaks: ["LIM-2", "LIM-C1"],
  replaces: "limiter/core/limiter.ts#buildPrepared",
  by: (right, limiter, resolved, gateways) => ({
    ...right(limiter, resolved.key === null ? resolved : { ...resolved, api: null }, gateways),
    resolved,
  }),
};
