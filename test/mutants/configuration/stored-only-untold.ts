import type { Mutant } from "../../../src/mutants/mutant.ts";

export const mutant: Mutant<() => void> = {
  about: "nothing is said of a quota that has no effect where it stands",
  breaks: ["LIM-C9"],
  replaces: "core/read/access.ts#warnStoredOnly",
  by: () => () => {},
};
