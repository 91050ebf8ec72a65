// A sliding log that does not count refused requests, as most limiters of others have it. No algorithm of the gateway is one
// (ALG-3), so it decides in virtual time only, by options that imitate it.
import type { GatewayOptions } from "../core/config.ts";
import { readOptions } from "../world/options.ts";
import { strictFindings } from "../world/place.ts";

export const FREE_LOG = "free_log";

/** As fields of a map of YAML. */
export const FREE_LOG_FIELDS = "algorithm: sliding_log, imitate: { refused: free }";

export const freeLogOptions = (): GatewayOptions =>
  readOptions({
    raw: { algorithm: "sliding_log", imitate: { refused: "free" } },
    path: [],
    findings: strictFindings([], []),
  });
