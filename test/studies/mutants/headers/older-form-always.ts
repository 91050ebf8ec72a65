import type { limitValues } from "#src/gateway/headers.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

export const mutant: Mutant<typeof limitValues> = {
  about: "the older form is told, whatever is set",
  breaks: ["HDR-C2"],
  replaces: "gateway/headers.ts#limitValues",
  by: (right, decision, _style, nowUs) => right(decision, "legacy", nowUs),
};
