import type { webhookViewWithDates } from "#src/gateway/management/families/webhook.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

export const mutant: Mutant<typeof webhookViewWithDates> = {
  about: "whoever reads a webhook reads its secret",
  breaks: ["EVT-C2"],
  replaces: "gateway/management/families/webhook.ts#webhookViewWithDates",
  by: (right, stored) => ({
    ...right(stored),
    Secret: stored.document["Secret"],
  }),
};
