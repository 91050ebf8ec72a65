import type { limitHeaders } from "../../../../src/gateway/headers.ts";
import type { Mutant } from "../../../../src/experiments/mutants/mutant.ts";

export const mutant: Mutant<typeof limitHeaders> = {
  about: "the window is never told",
  breaks: ["HDR-C2"],
  replaces: "gateway/headers.ts#limitHeaders",
  by: (right) => (decision, style, nowUs) =>
    right(decision, style, nowUs).map(([name, value]) => [
      name,
      name === "RateLimit-Policy" ? value.replace(/;w=\d+/, "") : value,
    ]),
};
