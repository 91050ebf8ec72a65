import { SECOND } from "#src/kit/units.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";
import type { Combine } from "../private.ts";

export const mutant: Mutant<Combine> = {
  about: "an allowance without a rate is a limit for each second",
  breaks: ["LIM-8"],
  replaces: "limiter/world/limit.ts#combine",
  by: (right, place, rate, per, form) => {
    const { allowance } = place.raw;
    return rate === "absent" && per === "absent" && typeof allowance === "number"
      ? { rate: allowance, perUs: SECOND, smoothing: null }
      : right(place, rate, per, form);
  },
};
