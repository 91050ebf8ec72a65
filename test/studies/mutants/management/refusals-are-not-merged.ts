import type { happeningOf } from "#src/gateway/management/events/happening.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

export const mutant: Mutant<typeof happeningOf> = {
  about: "each refusal is a delivery of its own, whatever the cooldown",
  breaks: ["EVT-C2"],
  replaces: "gateway/management/events/happening.ts#happeningOf",
  by: (right, event) => {
    const happening = right(event);
    return happening === null ? null : { ...happening, budget: null };
  },
};
