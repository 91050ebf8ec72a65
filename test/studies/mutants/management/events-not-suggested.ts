import type { Mutant } from "#src/studies/mutants/mutant.ts";

export const mutant: Mutant<(said: unknown) => string> = {
  about: "an event that nobody knows is refused without what was meant",
  breaks: ["EVT-C1"],
  replaces: "gateway/management/families/webhook.ts#unknownEventMessage",
  by: () => "is not the name of an event",
};
