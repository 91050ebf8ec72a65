import type { settle } from "#src/limiter/core/smoothing.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

export const mutant: Mutant<typeof settle> = {
  about:
    "whether a fall came due is asked of the window before the request and not before that time",
  breaks: ["SMO-C6"],
  replaces: "limiter/core/smoothing.ts#settle",
  by: (right, rule, stored, newest, perUs, nowUs) =>
    right(rule, stored, (k) => (newest(k) + perUs > nowUs ? Infinity : -Infinity), perUs, nowUs),
};
