import { MILLIONTHS } from "#src/limiter/core/limit.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";
import type { NextFallUs } from "../private.ts";

export const mutant: Mutant<NextFallUs> = {
  about: "the look of a made-up fall is not counted in the rate",
  breaks: ["SMO-4", "SMO-C6"],
  replaces: "limiter/core/smoothing.ts#nextFallUs",
  by: (right, rule, stored, newest, perUs) =>
    right({ ...rule, fallMargin: rule.fallMargin - MILLIONTHS }, stored, newest, perUs),
};
