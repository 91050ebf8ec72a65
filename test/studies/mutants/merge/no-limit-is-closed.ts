import type { fastest } from "#src/limiter/core/resolve/merge.ts";
import { SECOND } from "#src/kit/units.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

export const mutant: Mutant<typeof fastest> = {
  about: "where no policy has a limit, nothing is admitted",
  breaks: ["LIM-10", "LIM-C4"],
  replaces: "limiter/core/resolve/merge.ts#fastest",
  by: (right, candidates) =>
    candidates.length === 0
      ? {
          limit: { rate: 0, perUs: SECOND, smoothing: null },
          position: 0,
          policy: null,
          because: [],
        }
      : right(candidates),
};
