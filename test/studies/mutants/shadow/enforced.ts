import type { Configuration } from "#src/limiter/core/config.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

export const mutant: Mutant<(all: Configuration, wanted: boolean, ofKeys: never) => Configuration> =
  {
    about: "a shadow limit refuses like every other",
    breaks: ["LIM-C13"],
    replaces: "limiter/core/shadow.ts#filterLimits",
    by: (right, all, wanted, ofKeys) => (wanted ? right(all, wanted, ofKeys) : all),
  };
