import type { quotaBudget } from "#src/limiter/core/resolve/quota.ts";
import { micros, NEVER, SECOND } from "#src/kit/units.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

export const mutant: Mutant<typeof quotaBudget> = {
  about: "a quota without a renewal rate renews every hour",
  breaks: ["LIM-C9"],
  replaces: "limiter/core/resolve/quota.ts#quotaBudget",
  by: (right, quota, counted) =>
    quota?.renewalUs === NEVER
      ? right({ ...quota, renewalUs: micros(3600 * SECOND) }, counted)
      : right(quota, counted),
};
