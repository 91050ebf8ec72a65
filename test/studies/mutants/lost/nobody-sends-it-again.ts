import type { Mutant } from "#src/studies/mutants/mutant.ts";
import type { patienceUs } from "#src/lab/sim/clients.ts";

export const mutant: Mutant<typeof patienceUs> = {
  about: "a client that backs off gives up a request that got no response",
  breaks: ["LIM-C18"],
  replaces: "lab/sim/clients.ts#patienceUs",
  by: (right, behaviour, attempt, retryAfter, chance) =>
    retryAfter === null ? null : right(behaviour, attempt, retryAfter, chance),
};
