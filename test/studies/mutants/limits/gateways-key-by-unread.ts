import type { ApiDefinition, KeyBy } from "#src/limiter/core/config.ts";
import type { Resolver } from "#src/limiter/core/resolve/resolved.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

type KeyByOf = (resolver: Resolver, definition: ApiDefinition) => KeyBy;

export const mutant: Mutant<KeyByOf> = {
  about: "the key_by of the gateway is unread, and only that of an API counts",
  breaks: ["LIM-C17"],
  replaces: "limiter/core/resolve/resolver.ts#keyByOf",
  by: (_right, _, { keyBy }) => keyBy ?? "credential",
};
