import type { letterOf } from "#src/gateway/management/events/letter.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

export const mutant: Mutant<typeof letterOf> = {
  about: "the signature is over the body, and may be used again with any time and id",
  breaks: ["EVT-C2"],
  replaces: "gateway/management/events/letter.ts#letterOf",
  by: (right, delivery, webhook, secret, nowUs, sign) =>
    right(delivery, webhook, secret, nowUs, (of, text) => sign(of, text.slice(text.indexOf("{")))),
};
