import type { Mutant } from "#src/studies/mutants/mutant.ts";
import type { NextFallUs } from "../private.ts";

export const mutant: Mutant<NextFallUs> = {
  about: "a fall is made up at the end of the hold-off or not at all",
  breaks: ["SMO-6", "SMO-C6"],
  replaces: "limiter/core/smoothing.ts#nextFallUs",
  by: (right, rule, stored, newest, perUs) => {
    const dueUs = right(rule, stored, newest, perUs);
    return dueUs > stored.holdUntilUs ? Number.POSITIVE_INFINITY : dueUs;
  },
};
