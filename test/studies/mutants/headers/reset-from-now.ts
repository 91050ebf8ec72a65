import type { Mutant } from "#src/studies/mutants/mutant.ts";
import type { take } from "#src/limiter/store/take.ts";

export const mutant: Mutant<typeof take> = {
  about: "the reset is said in seconds from now and not as a time",
  breaks: ["HDR-C2"],
  replaces: "limiter/store/take.ts#take",
  by: (right, bound, client, atUs, intent, reply, units) => {
    right(bound, client, atUs, intent, reply, units);
    reply.resetUs -= atUs;
    return reply;
  },
};
