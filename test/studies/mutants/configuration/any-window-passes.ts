import type { Mutant } from "#src/studies/mutants/mutant.ts";

export const mutant: Mutant<(us: number) => boolean> = {
  about: "negative windows and those below a millisecond are accepted",
  breaks: ["LIM-C3"],
  replaces: "limiter/world/limit.ts#isWindow",
  by: () => true,
};
