import type { settle } from "#src/limiter/core/smoothing.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

export const mutant: Mutant<typeof settle> = {
  about:
    "a fall that comes due at the instant of a request is made up without counting that request",
  breaks: ["SMO-C6", "SMO-4"],
  replaces: "limiter/core/smoothing.ts#settle",
  by: (right, rule, stored, newest, perUs, nowUs) => {
    const usual = right(rule, stored, newest, perUs, nowUs);
    const later = right(rule, stored, newest, perUs, (nowUs + 1) as typeof nowUs);
    const isMore = later.changes.length > usual.changes.length && !usual.isCut && !later.isCut;
    return isMore && later.changes.at(-1)!.atUs === nowUs ? later : usual;
  },
};
