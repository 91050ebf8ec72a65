import type { Mutant } from "#src/studies/mutants/mutant.ts";
import type { patienceUs } from "#src/lab/sim/clients.ts";

export const mutant: Mutant<typeof patienceUs> = {
  about: "the jitter of a client's back-off only makes it wait longer",
  breaks: ["ALG-4"],
  replaces: "lab/sim/clients.ts#patienceUs",
  by: (right, behaviour, attempt, retryAfter, chance) => {
    const us = right(behaviour, attempt, retryAfter, chance);
    if (us === null || behaviour.kind !== "backoff") return us;
    const middle = behaviour.baseUs * behaviour.factor ** attempt;
    return middle + Math.abs(us - middle);
  },
};
