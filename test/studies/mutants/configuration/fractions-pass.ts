import type { Mutant } from "#src/studies/mutants/mutant.ts";
import type { Combine } from "../private.ts";

export const mutant: Mutant<Combine> = {
  about: "a rate between 0 and 1 is accepted",
  breaks: ["LIM-C2"],
  replaces: "limiter/world/limit.ts#combine",
  by: (right, place, rate, per, form) =>
    typeof rate === "number" && typeof per === "number" && rate > 0 && rate < 1 && per > 0
      ? { rate, perUs: per, smoothing: null }
      : right(place, rate, per, form),
};
