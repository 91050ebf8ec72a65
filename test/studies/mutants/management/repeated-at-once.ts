import type { retryAfterUs } from "#src/gateway/management/events/retries.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

export const mutant: Mutant<typeof retryAfterUs> = {
  about: "what fails is repeated every second",
  breaks: ["EVT-C2"],
  replaces: "gateway/management/events/retries.ts#retryAfterUs",
  by: (right, attempts, random) => (right(attempts, random) === null ? null : 1_000_000),
};
