import type { mayReceive } from "../../../../src/servers/receiver-addresses.node.ts";
import type { Mutant } from "../../../../src/experiments/mutants/mutant.ts";

export const mutant: Mutant<typeof mayReceive> = {
  about: "webhooks are sent to inner addresses too",
  breaks: ["EVT-C3"],
  replaces: "servers/receiver-addresses.node.ts#mayReceive",
  by: () => () => true,
};
