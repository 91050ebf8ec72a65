import type { Mutant } from "#src/studies/mutants/mutant.ts";
import type { ReadNumber } from "../private.ts";

export const mutant: Mutant<ReadNumber> = {
  about: "allowance is taken for the rate where it is there",
  breaks: ["LIM-8"],
  replaces: "limiter/world/limit.ts#rateIn",
  by: (right, place) => {
    const { rate, allowance } = place.raw;
    return typeof allowance === "number" && typeof rate === "number" ? allowance : right(place);
  },
};
