import type { Grant, Merged } from "../../../src/core/resolve/merge.ts";
import type { Mutant } from "../../../src/mutants/mutant.ts";

type KeyBudget = (resolver: never, api: never, grant: Grant, merged: Merged) => unknown;

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
