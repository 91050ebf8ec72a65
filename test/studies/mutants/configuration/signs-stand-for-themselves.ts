import type { compilePattern } from "#src/limiter/world/pattern.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

export const mutant: Mutant<typeof compilePattern> = {
  about: "signs of a regular expression in a path stand for themselves",
  breaks: ["EPT-C1"],
  replaces: "limiter/world/pattern.ts#compilePattern",
  by: (right, text) => {
    const compiled = right(text);
    return compiled.fault?.code === "CFG-PATTERN-CHARACTER"
      ? { pattern: { text, pieces: [text] }, fault: null, warning: null }
      : compiled;
  },
};
