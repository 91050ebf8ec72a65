import type { fastest } from "#src/limiter/core/resolve/merge.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

const HOUR_US = 3_600_000_000;

export const mutant: Mutant<typeof fastest> = {
  about: "a policy whose window is whole hours is left out of the merge",
  breaks: ["LIM-5"],
  replaces: "limiter/core/resolve/merge.ts#fastest",
  by: (right, candidates) =>
    right(candidates.filter(({ limit }) => limit.perUs % HOUR_US !== 0)) ?? right(candidates),
};
