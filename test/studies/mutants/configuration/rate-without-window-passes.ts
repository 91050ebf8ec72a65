import type { Mutant } from "#src/studies/mutants/mutant.ts";
import type { Combine } from "../private.ts";

export const mutant: Mutant<Combine> = {
  about: "a rate without a window is taken for no limit",
  breaks: ["LIM-C2"],
  replaces: "limiter/world/limit.ts#combine",
  by: (right, place, rate, per, form) =>
    per === "absent" && rate !== -1 ? null : right(place, rate, per, form),
};
