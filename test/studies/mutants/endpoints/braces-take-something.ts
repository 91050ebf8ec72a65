import type { matchesPattern } from "#src/limiter/core/resolve/endpoint.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

export const mutant: Mutant<typeof matchesPattern> = {
  about: "a name in braces does not match the empty string",
  breaks: ["EPT-C1", "EPT-5"],
  replaces: "limiter/core/resolve/endpoint.ts#matchesPattern",
  by: (right, pattern, path) => {
    if (pattern.pieces.length === 1) return right(pattern, path);
    const literal = pattern.pieces.map((piece) => piece.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&"));
    return new RegExp(`^${literal.join(".+")}$`).test(path);
  },
};
