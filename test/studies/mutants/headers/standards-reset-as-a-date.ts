import type { limitValues } from "#src/gateway/headers.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

export const mutant: Mutant<typeof limitValues> = {
  about: "the reset of the standard's form is told as a date",
  breaks: ["HDR-C2"],
  replaces: "gateway/headers.ts#limitValues",
  by: (right, decision, style, nowUs) => {
    const values = right(decision, style, nowUs);
    return {
      ...values,
      standing: values.standing?.replace(/t=\d+/, `t=${Math.ceil(decision.resetUs / 1e6)}`) ?? null,
    };
  },
};
