import type { afterAttempt } from "#src/limiter/core/smoothing.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

export const mutant: Mutant<typeof afterAttempt> = {
  about: "an attempt by a clock that is behind becomes the newest, so its allowance is idle sooner",
  breaks: ["SMO-C6"],
  replaces: "limiter/core/smoothing.ts#afterAttempt",
  by: (right, rule, record, perUs, nowUs) =>
    right(rule, { ...record, lastUs: nowUs }, perUs, nowUs),
};
