import type { replaceLimitHeaders } from "#src/gateway/headers.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

export const mutant: Mutant<typeof replaceLimitHeaders> = {
  about: "the upstream's own limits are kept where the gateway has none to tell",
  breaks: ["HDR-C2"],
  replaces: "gateway/headers.ts#replaceLimitHeaders",
  by: (right, upstream, own) => (own.length === 0 ? upstream : right(upstream, own)),
};
