import type { limitValues } from "#src/gateway/headers.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

export const mutant: Mutant<typeof limitValues> = {
  about: "every budget is named as the key's",
  breaks: ["HDR-C2"],
  replaces: "gateway/headers.ts#limitValues",
  by: (right, decision, style, nowUs) => {
    const values = right(decision, style, nowUs);
    return { ...values, policy: values.policy?.replace(/^"[a-z-]+"/, '"key"') ?? null };
  },
};
