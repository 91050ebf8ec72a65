import type { Mutant } from "#src/studies/mutants/mutant.ts";
import type { KeyBudget } from "../private.ts";

export const mutant: Mutant<KeyBudget> = {
  about: "a limit of one API is smoothed as the root of its key is",
  breaks: ["SMO-C7"],
  replaces: "limiter/core/resolve/resolver.ts#keyBudget",
  by: (right, resolver, api, grant, profile) => {
    const { own } = grant;
    const smoothing = own?.limit.smoothing ?? profile.merged.root?.limit.smoothing ?? null;
    const smoothed = own === null ? null : { ...own, limit: { ...own.limit, smoothing } };
    return right(resolver, api, { ...grant, own: smoothed }, profile);
  },
};
