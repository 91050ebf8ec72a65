import type { compilePattern } from "#src/limiter/world/pattern.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

export const mutant: Mutant<typeof compilePattern> = {
  about: "a pattern that cannot begin any path is accepted",
  breaks: ["EPT-C1"],
  replaces: "limiter/world/pattern.ts#compilePattern",
  by: (right, text) => {
    const compiled = right(text);
    return compiled.fault?.code === "CFG-PATTERN-SLASH"
      ? { pattern: { text, pieces: [text] }, fault: null, warning: null }
      : compiled;
  },
};
