import type { Reply } from "#src/limiter/core/store.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

type Show = (reply: Reply, index: number, limit: number, left: number, resetUs: number) => void;

export const mutant: Mutant<Show> = {
  about: "a refused client is told that its whole limit remains",
  breaks: ["HDR-C2"],
  replaces: "limiter/store/shown-budget.ts#show",
  by: (right, reply, index, limit, left, resetUs) =>
    right(reply, index, limit, reply.refusedBy < 0 ? left : limit, resetUs),
};
