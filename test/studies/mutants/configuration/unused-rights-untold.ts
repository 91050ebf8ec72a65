import type { Mutant } from "#src/studies/mutants/mutant.ts";

export const mutant: Mutant<() => void> = {
  about: "nothing is said of access rights that policies replace",
  breaks: ["LIM-C5"],
  replaces: "limiter/world/key.ts#warnStoredRights",
  by: () => {},
};
