import type { Mutant } from "#src/studies/mutants/mutant.ts";
import type { Refuse } from "../private.ts";

export const mutant: Mutant<Refuse> = {
  about: "when one level refuses, the others count the request all the same",
  breaks: ["LIM-C1", "LIM-2"],
  found: "envoyproxy/ratelimit 440",
  replaces: "limiter/store/take.ts#refuse",
  by: (right, bound, refused, atUs, resetUs, intent, reply, units) => {
    right(bound, refused, atUs, resetUs, intent, reply, units);
    const { shown, limit, remaining, resetUs: shownResetUs } = reply;
    if (intent === "spend")
      for (const one of bound)
        if (one !== bound[refused]) one.counting.spend(one, 0, atUs, reply, units);
    Object.assign(reply, { shown, limit, remaining, resetUs: shownResetUs });
  },
};
