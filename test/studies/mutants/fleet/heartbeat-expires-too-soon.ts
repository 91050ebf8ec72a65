import type { recordHeartbeat } from "#src/limiter/core/fleet.ts";
import { micros } from "#src/kit/units.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

export const mutant: Mutant<typeof recordHeartbeat> = {
  about: "a heartbeat holds for half of drl_expiry",
  breaks: ["ALG-C4"],
  replaces: "limiter/core/fleet.ts#recordHeartbeat",
  by: (right, fleet, other, atUs, expiryUs) =>
    right(fleet, other, micros(atUs - expiryUs / 2), expiryUs),
};
