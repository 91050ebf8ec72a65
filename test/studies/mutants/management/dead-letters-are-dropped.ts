import type { Mutant } from "#src/studies/mutants/mutant.ts";
import type { SettledBy } from "../private.ts";

export const mutant: Mutant<SettledBy> = {
  about: "what is given up counts as delivered, and nobody finds it",
  breaks: ["EVT-C2"],
  replaces: "gateway/management/events/courier.ts#resultOf",
  by: (right, ...about) => {
    const settled = right(...about);
    return settled.state === "dead" ? { ...settled, state: "delivered" } : settled;
  },
};
