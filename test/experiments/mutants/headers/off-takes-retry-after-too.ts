import type { limitHeaders } from "../../../../src/gateway/headers.ts";
import type { Mutant } from "../../../../src/experiments/mutants/mutant.ts";

export const mutant: Mutant<typeof limitHeaders> = {
  about: "where no limits are told a refusal does not say when to come back",
  breaks: ["HDR-C1", "HDR-C2"],
  replaces: "gateway/headers.ts#limitHeaders",
  by: (right) => (decision, style, nowUs) => (style === "off" ? [] : right(decision, style, nowUs)),
};
