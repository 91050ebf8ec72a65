import type { Mutant } from "#src/studies/mutants/mutant.ts";

export const mutant: Mutant<(value: string) => string> = {
  about: "long values of a header are cut off instead of hashed",
  breaks: ["LIM-C17"],
  replaces: "limiter/core/resolve/identity.ts#shorten",
  by: (_right, value) => value.slice(0, 64),
};
