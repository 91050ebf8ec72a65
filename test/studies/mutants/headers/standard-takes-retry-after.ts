import type { limitValues } from "#src/gateway/headers.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

export const mutant: Mutant<typeof limitValues> = {
  about: "in the standard's form a refusal does not say when to come back",
  breaks: ["HDR-C1"],
  replaces: "gateway/headers.ts#limitValues",
  by: (right, decision, style, nowUs) => {
    const values = right(decision, style, nowUs);
    return { ...values, retryAfterS: style === "ietf" ? Number.NaN : values.retryAfterS };
  },
};
