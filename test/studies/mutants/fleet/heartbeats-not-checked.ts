import type { GatewayOptions } from "#src/limiter/core/config.ts";
import type { PlacedObject } from "#src/limiter/world/place.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

type WarnFlapping = (place: PlacedObject, options: GatewayOptions) => void;

export const mutant: Mutant<WarnFlapping> = {
  about: "nothing says that heartbeats expire before the next one comes",
  breaks: ["ALG-C4"],
  replaces: "limiter/world/options.ts#warnFlapping",
  by: () => {},
};
