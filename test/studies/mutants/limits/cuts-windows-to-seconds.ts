import { micros, SECOND } from "#src/kit/units.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";
import type { Combine } from "../private.ts";

export const mutant: Mutant<Combine> = {
  about: "windows are cut to whole seconds, and to one at least",
  breaks: ["LIM-C3"],
  replaces: "limiter/world/limit.ts#combine",
  by: (right, place, rate, per, form) => {
    const limit = right(place, rate, per, form);
    return (
      limit && { ...limit, perUs: micros(Math.max(1, Math.floor(limit.perUs / SECOND)) * SECOND) }
    );
  },
};
