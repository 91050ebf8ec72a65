import type { Mutant } from "#src/studies/mutants/mutant.ts";
import type { MakeLevels } from "../private.ts";

export const mutant: Mutant<MakeLevels> = {
  about: "where an API has a limit, those of keys are not judged",
  breaks: ["LIM-2", "LIM-C1"],
  replaces: "limiter/core/limiter.ts#buildPrepared",
  by: (right, limiter, resolved, gateways) => ({
    ...right(limiter, resolved.api === null ? resolved : { ...resolved, key: null }, gateways),
    resolved,
  }),
};
