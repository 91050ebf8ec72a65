import type { happeningsOfChange } from "#src/gateway/management/events/happening.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

export const mutant: Mutant<typeof happeningsOfChange> = {
  about: "a granted access is told to nobody",
  breaks: ["EVT-2"],
  replaces: "gateway/management/events/happening.ts#happeningsOfChange",
  by: (right, ...about) => right(...about).filter(({ event }) => event !== "AccessRequestApproved"),
};
