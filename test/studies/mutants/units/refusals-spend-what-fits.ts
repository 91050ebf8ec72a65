import type { Mutant } from "#src/studies/mutants/mutant.ts";
import type { Refuse } from "../private.ts";

export const mutant: Mutant<Refuse> = {
  about: "a refused request spends the units that still fit",
  breaks: ["LIM-C19"],
  replaces: "limiter/store/take.ts#refuse",
  by: (right, bound, refused, atUs, resetUs, intent, reply, units) => {
    right(bound, refused, atUs, resetUs, intent, reply, units);
    const one = bound[refused]!;
    const left = one.table.kind === "log" ? 0 : one.counting.remaining(one, atUs);
    if (intent === "spend" && left > 0) one.counting.spend(one, refused, atUs, { ...reply }, left);
  },
};
