import { SECOND } from "#src/kit/units.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";
import type { Combine } from "../private.ts";

export const mutant: Mutant<Combine> = {
  about: "0/0 is a limit of nothing instead of no limit",
  breaks: ["LIM-10", "LIM-C10"],
  replaces: "limiter/world/limit.ts#combine",
  by: (right, place, rate, per, form) =>
    rate === 0 && per === 0
      ? { rate, perUs: SECOND, smoothing: null }
      : right(place, rate, per, form),
};
