import type { AllowanceChange } from "#src/limiter/core/smoothing.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

type Change = (event: AllowanceChange["event"], atUs: number, value: number) => AllowanceChange;

export const mutant: Mutant<Change> = {
  about: "a rise is told as a fall and a fall as a rise",
  breaks: ["EVT-1", "SMO-3", "SMO-4"],
  replaces: "limiter/core/smoothing.ts#change",
  by: (right, event, atUs, value) =>
    right(
      event === "RateLimitSmoothingUp" ? "RateLimitSmoothingDown" : "RateLimitSmoothingUp",
      atUs,
      value,
    ),
};
