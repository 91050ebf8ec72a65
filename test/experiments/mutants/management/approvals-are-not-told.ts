import type { ofChange } from "../../../../src/management/events/happening.ts";
import type { Mutant } from "../../../../src/experiments/mutants/mutant.ts";

export const mutant: Mutant<typeof ofChange> = {
  about: "a granted access is told to nobody",
  breaks: ["EVT-2"],
  replaces: "management/events/happening.ts#ofChange",
  by:
    (right) =>
    (...about) =>
      right(...about).filter(({ event }) => event !== "AccessRequestApproved"),
};
