import type { Intent, Reply } from "../../../src/core/store.ts";
import type { Micros } from "../../../src/core/units.ts";
import type { Mutant } from "../../../src/mutants/mutant.ts";
import type { Bound } from "../../../src/store/counting.ts";

type Refuse = (
  bound: readonly Bound[],
  refused: number,
  atUs: Micros,
  resetUs: number,
  intent: Intent,
  reply: Reply,
) => void;

export const mutant: Mutant<Refuse> = {
  about: "a refused request is written at every level, and not to the log that refused it alone",
  breaks: ["LIM-C1", "ALG-3"],
  replaces: "store/take.ts#refuse",
  by: (right) => (bound, refused, atUs, resetUs, intent, reply) => {
    right(bound, refused, atUs, resetUs, intent, reply);
    for (const [index, one] of bound.entries())
      if (index !== refused && !one.isQuota) one.counting.writeRefused(one, atUs, reply);
  },
};
