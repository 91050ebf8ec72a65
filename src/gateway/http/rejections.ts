// How a gateway process rejects requests to protect itself. A rejected request spends nothing and never reaches the
// limiter.

/** Names in the log and in metrics. */
export type ProtectionReason = "connections" | "requests" | "overload" | "unknown_keys";

export interface RequestRejection {
  readonly reason: ProtectionReason;
  readonly status: number;
  readonly text: string; // text of the body, in plain ASCII
}

const rejection = (reason: ProtectionReason, status: number, error: string): RequestRejection => ({
  reason,
  status,
  text: JSON.stringify({ error }),
});

export const REJECTIONS = {
  connections: rejection("connections", 429, "Too many connections from this address"),
  requests: rejection("requests", 429, "Too many requests in flight from this address"),
  overload: rejection("overload", 503, "The gateway is overloaded"),
  unknownKeys: rejection("unknown_keys", 429, "Too many unknown keys from this address"),
} as const;

/** A request that cannot be served now may succeed in a second. */
export const RETRY = ["Retry-After", "1"] as const;
