import type { Budget, Scope } from "../../../src/core/budget.ts";
import type { Limit } from "../../../src/core/limit.ts";
import type { Resolver } from "../../../src/core/resolve/resolver.ts";
import type { Mutant } from "../../../src/mutants/mutant.ts";

type Make = (
  resolver: Resolver,
  limit: Limit | null,
  scope: Scope,
  what: string,
  because: readonly string[],
  isByClient?: boolean,
) => Budget | null;

export const mutant: Mutant<Make> = {
  about: "with key_by the limit of an API is one for each client, keys or not",
  breaks: ["LIM-C17", "LIM-7"],
  replaces: "core/resolve/resolver.ts#budget",
  by: (right) => (resolver, limit, scope, what, because) =>
    right(resolver, limit, scope, what, because, scope.startsWith("api")),
};
