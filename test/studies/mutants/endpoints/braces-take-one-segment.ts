import type { matchesPattern } from "#src/limiter/core/resolve/endpoint.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

export const mutant: Mutant<typeof matchesPattern> = {
  about: "a name in braces matches one segment",
  breaks: ["EPT-5", "EPT-C1"],
  replaces: "limiter/core/resolve/endpoint.ts#matchesPattern",
  by: (right, pattern, path) => {
    if (pattern.pieces.length === 1) return right(pattern, path);
    const literal = pattern.pieces.map((piece) => piece.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&"));
    return new RegExp(`^${literal.join("[^/]*")}$`).test(path);
  },
};
