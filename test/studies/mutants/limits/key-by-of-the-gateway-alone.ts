import type { ApiDefinition, KeyBy } from "#src/limiter/core/config.ts";
import type { Resolver } from "#src/limiter/core/resolve/resolved.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

type KeyByOf = (resolver: Resolver, definition: ApiDefinition) => KeyBy;

export const mutant: Mutant<KeyByOf> = {
  about: "the key_by of an API is passed over for the gateway's",
  breaks: ["LIM-C17"],
  replaces: "limiter/core/resolve/resolver.ts#keyByOf",
  by: (_right, { configuration }) => configuration.options.keyBy,
};
