import type { GatewayOptions } from "#src/limiter/core/config.ts";
import type { PlacedObject } from "#src/limiter/world/place.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

type WarnLosers = (place: PlacedObject, options: GatewayOptions) => void;

export const mutant: Mutant<WarnLosers> = {
  about: "nothing says which of several options has no effect",
  breaks: ["ALG-C1"],
  replaces: "limiter/world/options.ts#warnLosers",
  by: () => {},
};
