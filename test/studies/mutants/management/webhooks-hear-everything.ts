import type { webhookViewWithDates } from "#src/gateway/management/families/webhook.ts";
import { EVENTS } from "#src/gateway/management/events/names.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

export const mutant: Mutant<typeof webhookViewWithDates> = {
  about: "webhooks are called for events that they do not list",
  breaks: ["EVT-2"],
  replaces: "gateway/management/families/webhook.ts#webhookViewWithDates",
  by: (right, stored) => ({ ...right(stored), Events: [...EVENTS] }),
};
