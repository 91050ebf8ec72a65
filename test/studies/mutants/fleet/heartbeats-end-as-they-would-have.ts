import type { ActiveGateways } from "#src/limiter/core/fleet.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

export const mutant: Mutant<(fleet: ActiveGateways, nowUs: number, expiryUs: number) => boolean> = {
  about: "a heartbeat that has arrived lasts as long as drl_expiry was then",
  breaks: ["ALG-C4"],
  replaces: "limiter/core/fleet.ts#isCurrent",
  by: (_right, fleet, nowUs) => nowUs < fleet.changesAtUs,
};
