import type { Gateway } from "#src/gateway/gateway.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

export const mutant: Mutant<(gateway: Gateway, isWaiting: boolean) => boolean> = {
  about: "any number of requests may wait",
  breaks: ["LIM-C9"],
  replaces: "gateway/begin.ts#hasRoom",
  by: () => true,
};
