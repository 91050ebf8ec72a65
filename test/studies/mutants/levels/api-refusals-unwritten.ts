import type { Mutant } from "#src/studies/mutants/mutant.ts";
import type { Refuse } from "../private.ts";

export const mutant: Mutant<Refuse> = {
  about: "what the limit of an API refuses is not written to its log",
  breaks: ["LIM-C1", "ALG-3"],
  replaces: "limiter/store/take.ts#refuse",
  by: (right, bound, refused, atUs, resetUs, intent, reply, units) => {
    const isOfApi = bound[refused]!.isForAll;
    right(bound, refused, atUs, resetUs, isOfApi ? "evaluate" : intent, reply, units);
  },
};
