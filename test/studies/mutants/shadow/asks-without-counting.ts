import type { BoundLevels } from "#src/limiter/core/store.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

interface ShadowLevel {
  readonly bound: BoundLevels;
}
type JudgeHere = (gateway: never, outcome: never, one: ShadowLevel, ...more: never[]) => void;

export const mutant: Mutant<JudgeHere> = {
  about: "a shadow limit is asked, and not counted",
  breaks: ["LIM-C13"],
  replaces: "gateway/shadow.ts#evaluateLocally",
  by: (right, gateway, outcome, one, ...more) => {
    const { bound } = one;
    const take: BoundLevels["take"] = (client, atUs, _, reply, units) =>
      bound.take(client, atUs, "evaluate", reply, units);
    right(gateway, outcome, { ...one, bound: { ...bound, take } }, ...more);
  },
};
