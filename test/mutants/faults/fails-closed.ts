import type { Client } from "../../../src/core/client.ts";
import { UNAVAILABLE } from "../../../src/core/decision.ts";
import type { Decision } from "../../../src/core/decision.ts";
import type { Limiter, Prepared } from "../../../src/core/limiter.ts";
import type { Intent } from "../../../src/core/store.ts";
import type { Micros } from "../../../src/core/units.ts";
import type { Mutant } from "../../../src/mutants/mutant.ts";

type WithoutStore = (
  limiter: Limiter,
  prepared: Prepared,
  client: Client,
  nowUs: Micros,
  intent: Intent,
) => Decision;

export const mutant: Mutant<WithoutStore> = {
  about: "without the store nothing passes, whatever is configured",
  breaks: ["ALG-C8"],
  replaces: "core/steps.ts#withoutStore",
  by: () => () => UNAVAILABLE,
};
