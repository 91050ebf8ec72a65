import type { Limit } from "#src/limiter/core/limit.ts";
import type { PlacedObject } from "#src/limiter/world/place.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

type CheckAgainstLimit = (
  place: PlacedObject,
  limit: Limit | null,
  threshold: number | null,
) => void;

export const mutant: Mutant<CheckAgainstLimit> = {
  about: "a threshold above the rate, or without one, is accepted",
  breaks: ["SMO-C4"],
  found: "wso2 product-apim 4086",
  replaces: "limiter/world/smoothing.ts#checkAgainstLimit",
  by: () => {},
};
