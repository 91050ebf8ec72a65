import type { take } from "#src/limiter/store/take.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

export const mutant: Mutant<typeof take> = {
  about: "a request under two leaky buckets waits for one turn after the other",
  breaks: ["ALG-C10"],
  replaces: "limiter/store/take.ts#take",
  by: (right, levels, client, atUs, intent, reply, units) => {
    const turns = levels.map((bound) => bound.counting.delay?.(bound, atUs) ?? 0);
    const done = right(levels, client, atUs, intent, reply, units);
    if (done.delayUs > 0) done.delayUs = turns.reduce((sum, us) => sum + us, 0);
    return done;
  },
};
