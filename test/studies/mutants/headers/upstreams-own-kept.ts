import type { replaceLimitHeaders } from "#src/gateway/headers.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

export const mutant: Mutant<typeof replaceLimitHeaders> = {
  about: "the upstream's own limits stand beside the gateway's",
  breaks: ["HDR-C2"],
  replaces: "gateway/headers.ts#replaceLimitHeaders",
  by: (_right, upstream, own) => [...upstream, ...own],
};
