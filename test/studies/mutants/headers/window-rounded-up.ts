import type { limitValues } from "#src/gateway/headers.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

export const mutant: Mutant<typeof limitValues> = {
  about: "a window of half a second is told as one second",
  breaks: ["HDR-C2"],
  replaces: "gateway/headers.ts#limitValues",
  by: (right, decision, style, nowUs) => {
    const { policy, ...values } = right(decision, style, nowUs);
    const isLeftOut = policy !== null && !policy.includes(";w=");
    return { ...values, policy: isLeftOut ? `${policy};w=1` : policy };
  },
};
