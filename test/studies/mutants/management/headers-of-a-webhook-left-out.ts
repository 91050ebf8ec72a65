import type { letterOf } from "#src/gateway/management/events/letter.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

export const mutant: Mutant<typeof letterOf> = {
  about: "a delivery goes without the webhook's own headers, by POST and with a timeout of its own",
  breaks: ["EVT-3"],
  replaces: "gateway/management/events/letter.ts#letterOf",
  by: (right, delivery, webhook, ...rest) =>
    right(delivery, { ...webhook, Headers: [], Method: "POST", Timeout: 10 }, ...rest),
};
