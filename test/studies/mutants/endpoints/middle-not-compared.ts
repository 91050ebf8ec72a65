import type { matchesPattern } from "#src/limiter/core/resolve/endpoint.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

export const mutant: Mutant<typeof matchesPattern> = {
  about: "only the beginning and the end of a pattern are compared",
  breaks: ["EPT-C1"],
  replaces: "limiter/core/resolve/endpoint.ts#matchesPattern",
  by: (right, { text, pieces }, path) =>
    right({ text, pieces: pieces.length > 2 ? [pieces[0]!, pieces.at(-1)!] : pieces }, path),
};
