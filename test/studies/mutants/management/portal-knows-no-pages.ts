import type { Mutant } from "#src/studies/mutants/mutant.ts";

export const mutant: Mutant<(query: never) => null> = {
  about: "the portal lists all webhooks, whatever page is asked for",
  breaks: ["MGT-C7"],
  replaces: "gateway/management/portal/webhooks.ts#pageIn",
  by: () => null,
};
