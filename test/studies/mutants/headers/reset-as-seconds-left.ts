import type { limitValues } from "#src/gateway/headers.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

export const mutant: Mutant<typeof limitValues> = {
  about: "the reset of the older form is told in seconds from now",
  breaks: ["HDR-C2"],
  replaces: "gateway/headers.ts#limitValues",
  by: (right, decision, style, nowUs) => {
    const values = right(decision, style, nowUs);
    return {
      ...values,
      resetS: Number.isNaN(values.resetS)
        ? values.resetS
        : Math.ceil((decision.resetUs - nowUs) / 1e6),
    };
  },
};
