import type { isTighter } from "#src/limiter/core/store.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

export const mutant: Mutant<typeof isTighter> = {
  about: "of two levels that leave the same the one with the earlier reset is shown",
  breaks: ["HDR-C2"],
  replaces: "limiter/core/store.ts#isTighter",
  by: (_right, reply, remaining, resetUs) =>
    reply.shown < 0 ||
    remaining < reply.remaining ||
    (remaining === reply.remaining && resetUs < reply.resetUs),
};
