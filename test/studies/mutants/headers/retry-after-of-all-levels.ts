import type { Mutant } from "#src/studies/mutants/mutant.ts";
import type { take } from "#src/limiter/store/take.ts";

export const mutant: Mutant<typeof take> = {
  about: "Retry-After waits until every level is full again, those too that have room",
  breaks: ["HDR-C1"],
  replaces: "limiter/store/take.ts#take",
  by: (right, bound, client, atUs, intent, reply, units) => {
    right(bound, client, atUs, intent, reply, units);
    if (reply.refusedBy < 0) return reply;
    for (const one of bound)
      if (!one.isQuota)
        reply.waitUs = Math.max(reply.waitUs, one.counting.fullUs(one, atUs) - atUs);
    return reply;
  },
};
