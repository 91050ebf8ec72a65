import type { Mutant } from "#src/studies/mutants/mutant.ts";
import type { bind } from "#src/limiter/store/bound.ts";

export const mutant: Mutant<typeof bind> = {
  about:
    "the limit of an API is shared where a store counts it, and counted by client where the gateway does",
  breaks: ["LIM-7"],
  found: "traefik 13706",
  replaces: "limiter/store/bound.ts#bind",
  by: (right, level, table) => {
    const bound = right(level, table);
    return level.place === "gateway" ? { ...bound, isForAll: false } : bound;
  },
};
