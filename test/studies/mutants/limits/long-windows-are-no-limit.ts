import type { Mutant } from "#src/studies/mutants/mutant.ts";
import type { Combine } from "../private.ts";

const TEN_MINUTES_US = 600_000_000;

export const mutant: Mutant<Combine> = {
  about: "a limit whose window is longer than ten minutes is not enforced",
  breaks: ["LIM-1", "LIM-C3"],
  replaces: "limiter/world/limit.ts#combine",
  by: (right, place, rate, per, form) => {
    const limit = right(place, rate, per, form);
    return limit && limit.perUs > TEN_MINUTES_US ? { ...limit, rate: -1 } : limit;
  },
};
