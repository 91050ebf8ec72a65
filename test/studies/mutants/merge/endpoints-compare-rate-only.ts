import type { EndpointLimit } from "#src/limiter/core/config.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";
import type { MergeEndpoints } from "../private.ts";

export const mutant: Mutant<MergeEndpoints> = {
  about: "limits of one endpoint are compared by their rates, whatever their windows",
  breaks: ["EPT-C5", "LIM-5"],
  found: "tyk 6472",
  replaces: "limiter/core/resolve/merge.ts#mergeEndpoints",
  by: (right, lists, matching) => {
    const byRate = lists.flat().toSorted((a, b) => b.limit.rate - a.limit.rate);
    const isFirst = (one: EndpointLimit, index: number): boolean =>
      byRate.findIndex(
        ({ method, pattern }) => method === one.method && pattern.text === one.pattern.text,
      ) === index;
    return right([byRate.filter(isFirst)], matching);
  },
};
