import type { Client } from "../../../../src/core/client.ts";
import type { StoreResult, Intent, Level, Steps } from "../../../../src/core/store.ts";
import type { Micros } from "../../../../src/core/units.ts";
import type { Mutant } from "../../../../src/experiments/mutants/mutant.ts";

type Pipelined = (level: Level, client: Client, atUs: Micros, intent: Intent) => Steps<StoreResult>;

export const mutant: Mutant<Pipelined> = {
  about: "the pipeline looks first, and does not write what it would refuse",
  breaks: ["ALG-3", "ALG-C6"],
  replaces: "core/sequence.ts#takeByCommands",
  by: (right) => (level, client, atUs) => right(level, client, atUs, "try"),
};
