import type { Mutant } from "#src/studies/mutants/mutant.ts";
import type { NextFallUs } from "../private.ts";

export const mutant: Mutant<NextFallUs> = {
  about: "a fall is also made up at the instant of the last attempt, which looked itself",
  breaks: ["SMO-C6"],
  replaces: "limiter/core/smoothing.ts#nextFallUs",
  by: (right, rule, stored, newest, perUs) => {
    const dueUs = right(rule, stored, newest, perUs);
    return dueUs === stored.lastUs + 1 && stored.holdUntilUs < dueUs ? stored.lastUs : dueUs;
  },
};
