import type { ActiveGateways } from "#src/limiter/core/fleet.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

type Recount = (fleet: ActiveGateways, nowUs: number, expiryUs: number) => void;

export const mutant: Mutant<Recount> = {
  about: "a gateway that has gone still takes its part of the rate",
  breaks: ["ALG-C4"],
  found: "tyk 1244",
  replaces: "limiter/core/fleet.ts#recount",
  by: (_right, fleet) => {
    fleet.count = fleet.heartbeatUs.size + 1;
  },
};
