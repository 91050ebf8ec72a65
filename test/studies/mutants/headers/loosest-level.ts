import type { isTighter } from "#src/limiter/core/store.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

export const mutant: Mutant<typeof isTighter> = {
  about: "clients are told of the level that leaves them most",
  breaks: ["HDR-C2"],
  replaces: "limiter/core/store.ts#isTighter",
  by: (_right, reply, remaining) => reply.shown < 0 || remaining > reply.remaining,
};
