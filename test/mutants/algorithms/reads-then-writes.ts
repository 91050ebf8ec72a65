import type { Client } from "../../../src/core/client.ts";
import type { Limiter, Prepared } from "../../../src/core/limiter.ts";
import {
  hasFailed,
  type Intent,
  type Reply,
  type Steps,
  type StoreFailure,
} from "../../../src/core/store.ts";
import type { Micros } from "../../../src/core/units.ts";
import type { Mutant } from "../../../src/mutants/mutant.ts";

type Asked = (
  limiter: Limiter,
  prepared: Prepared,
  client: Client,
  atUs: Micros,
  intent: Intent,
) => Steps<Reply | StoreFailure>;

export const mutant: Mutant<Asked> = {
  about:
    "a gateway reads the counts, decides, and writes afterwards, whatever others have written meanwhile",
  breaks: ["ALG-C7", "LIM-C1"],
  found: "kong 5311",
  replaces: "core/steps.ts#asked",
  by: () =>
    function* (_limiter, { levels }, client, atUs, intent) {
      const seen = yield { op: "take", levels, client, atUs, intent: "ask" };
      const written = yield { op: "take", levels, client, atUs, intent };
      const isAdmitted = !hasFailed(seen) && seen.refusedBy < 0 && !hasFailed(written);
      return isAdmitted ? { ...written, refusedBy: -1, waitUs: 0 } : written;
    },
};
