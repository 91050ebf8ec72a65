import type { limitValues } from "#src/gateway/headers.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

export const mutant: Mutant<typeof limitValues> = {
  about: "where no limits are told a refusal does not say when to come back",
  breaks: ["HDR-C1", "HDR-C2"],
  replaces: "gateway/headers.ts#limitValues",
  by: (right, decision, style, nowUs) => {
    const values = right(decision, style, nowUs);
    return style === "off" ? { ...values, retryAfterS: Number.NaN } : values;
  },
};
