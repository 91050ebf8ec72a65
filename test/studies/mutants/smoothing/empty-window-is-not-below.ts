import { MILLIONTHS } from "#src/limiter/core/limit.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";
import type { NextFallUs } from "../private.ts";

export const mutant: Mutant<NextFallUs> = {
  about: "an empty window is below only where a single request would be too",
  breaks: ["SMO-4", "SMO-6"],
  replaces: "limiter/core/smoothing.ts#nextFallUs",
  by: (right, rule, stored, newest, perUs) =>
    stored.value - rule.fallMargin <= MILLIONTHS
      ? Number.POSITIVE_INFINITY
      : right(rule, stored, newest, perUs),
};
