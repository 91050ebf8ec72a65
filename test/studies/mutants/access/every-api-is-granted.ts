import type { resolve } from "#src/limiter/core/resolve/resolver.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

export const mutant: Mutant<typeof resolve> = {
  about: "a key may use APIs that nothing grants it",
  breaks: ["MGT-C9", "LIM-C5"],
  replaces: "limiter/core/resolve/resolver.ts#resolve",
  by: (right, resolver, ...rest) =>
    right(resolver, ...rest) ?? {
      id: resolver.count++,
      api: null,
      key: null,
      quota: null,
      quotaAtApi: null,
    },
};
