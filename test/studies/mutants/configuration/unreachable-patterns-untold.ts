import type { compilePattern } from "#src/limiter/world/pattern.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

export const mutant: Mutant<typeof compilePattern> = {
  about: "nothing is said of a pattern that no request can match",
  breaks: ["EPT-C7", "EPT-C1"],
  replaces: "limiter/world/pattern.ts#compilePattern",
  by: (right, text) => {
    const compiled = right(text);
    return compiled.fault === null ? { ...compiled, warning: null } : compiled;
  },
};
