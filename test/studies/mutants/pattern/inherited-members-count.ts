import type { MetaData } from "#src/limiter/core/config.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

export const mutant: Mutant<(metaData: MetaData, name: string) => unknown> = {
  about: "a member that every object inherits is taken for metadata",
  breaks: ["LIM-C8"],
  replaces: "limiter/core/resolve/identity.ts#ownField",
  by: (_right, metaData, name) => (name in metaData ? String(metaData[name]) : undefined),
};
