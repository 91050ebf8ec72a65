import type { limitHeaders } from "../../../../src/gateway/headers.ts";
import type { Mutant } from "../../../../src/experiments/mutants/mutant.ts";

export const mutant: Mutant<typeof limitHeaders> = {
  about: "in the standard's form a refusal does not say when to come back",
  breaks: ["HDR-C1"],
  replaces: "gateway/headers.ts#limitHeaders",
  by: (right) => (decision, style, nowUs) =>
    right(decision, style, nowUs).filter(([name]) => style !== "ietf" || name !== "Retry-After"),
};
