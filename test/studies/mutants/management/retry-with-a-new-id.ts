import type { letterOf } from "#src/gateway/management/events/letter.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

export const mutant: Mutant<typeof letterOf> = {
  about: "each attempt has an id of its own",
  breaks: ["EVT-C2"],
  replaces: "gateway/management/events/letter.ts#letterOf",
  by: (right, delivery, ...rest) =>
    right({ ...delivery, id: `${delivery.id}-${delivery.attempts}` }, ...rest),
};
