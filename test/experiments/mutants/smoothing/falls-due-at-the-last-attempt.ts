import type { Mutant } from "../../../../src/experiments/mutants/mutant.ts";
import type { NextFallUs } from "../private.ts";

export const mutant: Mutant<NextFallUs> = {
  about: "a fall is also made up at the instant of the last attempt, which looked itself",
  breaks: ["SMO-C6"],
  replaces: "core/smoothing.ts#nextFallUs",
  by: (right) => (rule, kept, newest, perUs) => {
    const dueUs = right(rule, kept, newest, perUs);
    return dueUs === kept.lastUs + 1 && kept.holdUntilUs < dueUs ? kept.lastUs : dueUs;
  },
};
