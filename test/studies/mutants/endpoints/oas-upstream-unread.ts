import type { Limit } from "#src/limiter/core/limit.ts";
import type { PlacedObject } from "#src/limiter/world/place.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

export const mutant: Mutant<(owner: PlacedObject, ...rest: readonly unknown[]) => Limit | null> = {
  about: "the rateLimit of the upstream is not read",
  breaks: ["EPT-2", "LIM-7"],
  replaces: "limiter/world/oas.ts#rateLimitIn",
  by: (right, owner, ...rest) => (owner.path.at(-1) === "upstream" ? null : right(owner, ...rest)),
};
