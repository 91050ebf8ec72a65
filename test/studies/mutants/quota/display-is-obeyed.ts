import type { readQuota } from "#src/limiter/world/allotment.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

export const mutant: Mutant<typeof readQuota> = {
  about: "quota_remaining, which is on display, is taken for what is left",
  breaks: ["LIM-C9"],
  replaces: "limiter/world/allotment.ts#readQuota",
  by: (right, place, unlimited) => {
    const quota = right(place, unlimited);
    const shown = place.raw["quota_remaining"];
    return quota && typeof shown === "number" ? { ...quota, max: shown + 0.5 } : quota;
  },
};
