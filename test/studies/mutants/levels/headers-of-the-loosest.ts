import type { Mutant } from "#src/studies/mutants/mutant.ts";
import type { Refuse } from "../private.ts";

export const mutant: Mutant<Refuse> = {
  about: "a refusal carries the values of the level that has most left",
  breaks: ["HDR-C2"],
  found: "3scale apisonator 54",
  replaces: "limiter/store/take.ts#refuse",
  by: (right, bound, refused, atUs, resetUs, intent, reply, units) => {
    right(bound, refused, atUs, resetUs, intent, reply, units);
    const one = bound.find((each) => each !== bound[refused] && !each.isQuota);
    if (!one) return;
    reply.shown = bound.indexOf(one);
    reply.limit = one.counting.limit(one, atUs);
    reply.remaining = one.counting.remaining(one, atUs);
  },
};
