import type { Mutant } from "#src/studies/mutants/mutant.ts";
import type { Combine } from "../private.ts";

export const mutant: Mutant<Combine> = {
  about: "a window without a rate is taken for no limit",
  breaks: ["LIM-C2"],
  replaces: "limiter/world/limit.ts#combine",
  by: (right, place, rate, per, form) => (rate === "absent" ? null : right(place, rate, per, form)),
};
