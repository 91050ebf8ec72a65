import { SECOND } from "#src/kit/units.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";
import type { Combine } from "../private.ts";

export const mutant: Mutant<Combine> = {
  about: "a rate over a window of 0 is taken as one per second",
  breaks: ["LIM-C2"],
  replaces: "limiter/world/limit.ts#combine",
  by: (right, place, rate, per, form) =>
    right(place, rate, per === 0 && rate !== 0 ? SECOND : per, form),
};
