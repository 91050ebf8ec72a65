import type { readLimit } from "#src/limiter/world/limit.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

export const mutant: Mutant<typeof readLimit> = {
  about: "smoothing in the limit of one API is not read",
  breaks: ["SMO-7"],
  replaces: "limiter/world/limit.ts#readLimit",
  by: (right, place, rules) => {
    const limit = right(place, rules);
    const { path } = place;
    const isThere = path.includes("access_rights");
    return limit !== null && isThere ? { ...limit, smoothing: null } : limit;
  },
};
