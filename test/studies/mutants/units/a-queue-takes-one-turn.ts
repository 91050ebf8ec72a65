import type { QUEUE } from "#src/limiter/algorithms/leaky-bucket/memory.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

export const mutant: Mutant<(typeof QUEUE)["spend"]> = {
  about: "a request takes one turn of a leaky bucket, whatever its cost",
  breaks: ["LIM-C19", "ALG-C10"],
  replaces: "limiter/algorithms/leaky-bucket/memory.ts#QUEUE.spend",
  by: (right, bound, index, atUs, reply) => right(bound, index, atUs, reply, 1),
};
