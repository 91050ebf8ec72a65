import type { Mutant } from "#src/studies/mutants/mutant.ts";
import type { take } from "#src/limiter/store/take.ts";

export const mutant: Mutant<typeof take> = {
  about: "a request that waits is written like one that is refused for good",
  breaks: ["LIM-C9"],
  replaces: "limiter/store/take.ts#take",
  by: (right, bound, client, atUs, intent, reply, units) =>
    right(bound, client, atUs, intent === "try" ? "spend" : intent, reply, units),
};
