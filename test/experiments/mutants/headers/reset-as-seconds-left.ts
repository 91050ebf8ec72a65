import type { limitHeaders } from "../../../../src/gateway/headers.ts";
import type { Mutant } from "../../../../src/experiments/mutants/mutant.ts";

export const mutant: Mutant<typeof limitHeaders> = {
  about: "the reset of the older form is told in seconds from now",
  breaks: ["HDR-C2"],
  replaces: "gateway/headers.ts#limitHeaders",
  by: (right) => (decision, style, nowUs) =>
    right(decision, style, nowUs).map(([name, value]) => [
      name,
      name === "X-RateLimit-Reset" ? String(Math.ceil((decision.resetUs - nowUs) / 1e6)) : value,
    ]),
};
