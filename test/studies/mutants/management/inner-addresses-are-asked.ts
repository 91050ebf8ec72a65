import type { mayReceive } from "#src/gateway/management/http/receiver-addresses.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

export const mutant: Mutant<typeof mayReceive> = {
  about: "webhooks are sent to inner addresses too",
  breaks: ["EVT-C3"],
  replaces: "gateway/management/http/receiver-addresses.ts#mayReceive",
  by: () => true,
};
