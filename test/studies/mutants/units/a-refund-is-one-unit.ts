import type { giveBack } from "#src/limiter/store/take.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

export const mutant: Mutant<typeof giveBack> = {
  about: "one unit of a request is refunded, whatever it has spent",
  breaks: ["LIM-C19", "LIM-C1"],
  replaces: "limiter/store/take.ts#giveBack",
  by: (right, bound, client, takenUs) => right(bound, client, takenUs, 1),
};
