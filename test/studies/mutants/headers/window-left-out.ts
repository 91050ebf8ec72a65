import type { limitValues } from "#src/gateway/headers.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

export const mutant: Mutant<typeof limitValues> = {
  about: "the window is never told",
  breaks: ["HDR-C2"],
  replaces: "gateway/headers.ts#limitValues",
  by: (right, decision, style, nowUs) => {
    const values = right(decision, style, nowUs);
    return { ...values, policy: values.policy?.replace(/;w=\d+/, "") ?? null };
  },
};
