import type { limitHeaders } from "../../../../src/gateway/headers.ts";
import type { Mutant } from "../../../../src/experiments/mutants/mutant.ts";

export const mutant: Mutant<typeof limitHeaders> = {
  about: "the standard's field tells the limit where the remainder stands",
  breaks: ["HDR-C2"],
  replaces: "gateway/headers.ts#limitHeaders",
  by: (right) => (decision, style, nowUs) =>
    right(decision, style, nowUs).map(([name, value]) => [
      name,
      name === "RateLimit" ? value.replace(/r=\d+/, `r=${decision.limit}`) : value,
    ]),
};
