import type { readGlobalRateLimit } from "#src/limiter/world/endpoints.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

export const mutant: Mutant<typeof readGlobalRateLimit> = {
  about: "global_rate_limit is not read",
  breaks: ["LIM-7", "LIM-13"],
  replaces: "limiter/world/endpoints.ts#readGlobalRateLimit",
  by: () => null,
};
