import type { limitValues } from "#src/gateway/headers.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

export const mutant: Mutant<typeof limitValues> = {
  about: "the standard's field tells the limit where the remainder stands",
  breaks: ["HDR-C2"],
  replaces: "gateway/headers.ts#limitValues",
  by: (right, decision, style, nowUs) => {
    const values = right(decision, style, nowUs);
    return {
      ...values,
      standing: values.standing?.replace(/r=\d+/, `r=${decision.limit}`) ?? null,
    };
  },
};
