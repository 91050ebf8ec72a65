import type { Mutant } from "#src/studies/mutants/mutant.ts";
import type { ReadNumber } from "../private.ts";

export const mutant: Mutant<ReadNumber> = {
  about: "every negative rate is taken for unlimited",
  breaks: ["LIM-C2"],
  replaces: "limiter/world/limit.ts#rateIn",
  by: (right, place) => {
    const { rate } = place.raw;
    return typeof rate === "number" && rate < 0 ? -1 : right(place);
  },
};
