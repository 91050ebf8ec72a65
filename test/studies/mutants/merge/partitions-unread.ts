import type { Policy } from "#src/limiter/core/config.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

type Partitions = (place: never) => { supplies: Policy["supplies"]; isPerApi: boolean };

export const mutant: Mutant<Partitions> = {
  about: "a policy supplies everything, whatever its partitions name",
  breaks: ["LIM-C14"],
  replaces: "limiter/world/policy.ts#readPartitions",
  by: (right, place) => ({
    ...right(place),
    supplies: { access: true, rate: true, quota: true },
  }),
};
