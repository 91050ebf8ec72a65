import type { countActive } from "#src/limiter/core/fleet.ts";
import { micros } from "#src/kit/units.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

export const mutant: Mutant<typeof countActive> = {
  about: "a heartbeat still counts at the instant at which it expires",
  breaks: ["ALG-C4"],
  replaces: "limiter/core/fleet.ts#countActive",
  by: (right, fleet, nowUs, expiryUs) => right(fleet, micros(nowUs - 1), expiryUs),
};
