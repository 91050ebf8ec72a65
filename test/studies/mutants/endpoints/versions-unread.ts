import type { Mutant } from "#src/studies/mutants/mutant.ts";

export const mutant: Mutant<() => readonly unknown[]> = {
  about: "extended_paths below version_data are not read",
  breaks: ["EPT-3"],
  replaces: "limiter/world/classic.ts#versions",
  by: () => [],
};
