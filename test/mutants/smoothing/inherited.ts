import type { Budget } from "../../../src/core/budget.ts";
import type { ApiDefinition } from "../../../src/core/config.ts";
import type { Grant, Merged } from "../../../src/core/resolve/merge.ts";
import type { Resolver } from "../../../src/core/resolve/resolver.ts";
import type { Mutant } from "../../../src/mutants/mutant.ts";

type KeyBudget = (
  resolver: Resolver,
  api: ApiDefinition,
  grant: Grant,
  merged: Merged,
) => Budget | null;

export const mutant: Mutant<KeyBudget> = {
  about: "a limit of one API is smoothed as the root of its key is",
  breaks: ["SMO-C7"],
  replaces: "core/resolve/resolver.ts#keyBudget",
  by: (right) => (resolver, api, grant, merged) => {
    const { own } = grant;
    const smoothing = own?.limit.smoothing ?? merged.root?.limit.smoothing ?? null;
    const smoothed = own === null ? null : { ...own, limit: { ...own.limit, smoothing } };
    return right(resolver, api, { ...grant, own: smoothed }, merged);
  },
};
