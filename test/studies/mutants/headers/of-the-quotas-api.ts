import type { Mutant } from "#src/studies/mutants/mutant.ts";
import type { Refuse } from "../private.ts";

export const mutant: Mutant<Refuse> = {
  about: "where the quota refuses, the budget of the API is shown, also where the key's is tighter",
  breaks: ["HDR-C2"],
  replaces: "limiter/store/take.ts#refuse",
  by: (right, bound, refused, atUs, resetUs, intent, reply, units) => {
    const api = bound.findIndex(({ isForAll, isQuota }) => isForAll && !isQuota);
    const shown = bound[refused]!.isQuota && api >= 0 ? [bound[api]!, bound[refused]!] : bound;
    right(shown, shown === bound ? refused : 1, atUs, resetUs, intent, reply, units);
    if (shown !== bound && reply.shown === 0) reply.shown = api;
  },
};
