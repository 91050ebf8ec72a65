import type { limitHeaders } from "../../../../src/gateway/headers.ts";
import type { Mutant } from "../../../../src/experiments/mutants/mutant.ts";

export const mutant: Mutant<typeof limitHeaders> = {
  about: "the reset of the standard's form is told as a date",
  breaks: ["HDR-C2"],
  replaces: "gateway/headers.ts#limitHeaders",
  by: (right) => (decision, style, nowUs) =>
    right(decision, style, nowUs).map(([name, value]) => [
      name,
      name === "RateLimit"
        ? value.replace(/t=\d+/, `t=${Math.ceil(decision.resetUs / 1e6)}`)
        : value,
    ]),
};
