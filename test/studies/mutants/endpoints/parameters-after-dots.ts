import { withoutParameters } from "#src/limiter/core/resolve/endpoint.ts";
import type { normalizePath } from "#src/gateway/path.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

export const mutant: Mutant<typeof normalizePath> = {
  about: "parameters of segments are left out once dot segments are resolved, so that ..; is none",
  breaks: ["EPT-C7"],
  replaces: "gateway/path.ts#normalizePath",
  by: (right, target, leavesOut) => {
    const path = right(target);
    return path === null || leavesOut !== true ? path : withoutParameters(path);
  },
};
