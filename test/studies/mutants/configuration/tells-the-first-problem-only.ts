import type { readConfiguration } from "#src/limiter/world/read.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

export const mutant: Mutant<typeof readConfiguration> = {
  about: "the check stops at the first problem",
  breaks: ["LIM-C2", "MGT-C1"],
  replaces: "limiter/world/read.ts#readConfiguration",
  by: (right, ...args) => {
    const read = right(...args);
    return { ...read, problems: read.problems.slice(0, 1) };
  },
};
