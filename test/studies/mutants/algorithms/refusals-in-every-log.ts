import type { Reply } from "#src/limiter/core/store.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";
import type { BoundLevel } from "#src/limiter/store/counting.ts";

type Refuse = (all: readonly BoundLevel[], by: number, at: never, ...rest: Rest) => void;
type Rest = [never, never, Reply, number];

export const mutant: Mutant<Refuse> = {
  about: "a refused request is written to the logs of all levels",
  breaks: ["LIM-C1", "ALG-3"],
  replaces: "limiter/store/take.ts#refuse",
  by: (right, bound, refused, atUs, ...rest) => {
    right(bound, refused, atUs, ...rest);
    for (const one of bound.toSpliced(refused, 1))
      if (!one.isQuota) one.counting.writeRefused(one, atUs, rest[2], rest[3]);
  },
};
