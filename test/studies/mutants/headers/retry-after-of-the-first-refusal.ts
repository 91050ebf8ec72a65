import type { Mutant } from "#src/studies/mutants/mutant.ts";
import type { take } from "#src/limiter/store/take.ts";

export const mutant: Mutant<typeof take> = {
  about:
    "Retry-After is the wait of the level that refused first, also where another refuses for longer",
  breaks: ["HDR-C1"],
  replaces: "limiter/store/take.ts#take",
  by: (right, bound, client, atUs, intent, reply, units) => {
    right(bound, client, atUs, intent, reply, units);
    const { refusedBy, waitUs, shown, resetUs } = reply;
    if (refusedBy >= 0 && shown === refusedBy) reply.waitUs = Math.min(waitUs, resetUs - atUs);
    return reply;
  },
};
