import type { decideNow, Limiter } from "#src/limiter/core/limiter.ts";
import type { Resolver } from "#src/limiter/core/resolve/resolved.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

const first = new WeakMap<Limiter, Resolver>();

export const mutant: Mutant<typeof decideNow> = {
  about: "once the configuration has been loaded anew each request is counted twice",
  breaks: ["MGT-C5"],
  found: "kong 11859",
  replaces: "limiter/core/limiter.ts#decideNow",
  by: (right, limiter, ...request) => {
    const known = first.get(limiter) ?? limiter.resolver;
    first.set(limiter, known);
    if (known !== limiter.resolver) right(limiter, ...request);
    return right(limiter, ...request);
  },
};
