import { isQuota } from "./budget.ts";
import type { AllowanceChange } from "./smoothing.ts";
import { NO_CHANGES, type Level, type Reply } from "./store.ts";
import { SECOND, waitSeconds } from "../../kit/units.ts";

/** Why a request is refused: its rate (429), its quota (403), or an unreachable store (503). */
type Refusal = "rate" | "quota" | "store";

/**
 * The limiter's result for a request. A refusal is returned, never thrown: it has the budget that refused, the
 * requirements of that budget (`level.budget.because`), and the time until a retry can succeed.
 */
export interface Decision {
  readonly refused: Refusal | null;
  readonly level: Level | null; // the level that refused; if none did, the tightest level; null: no limit applies
  readonly shown: Level | null; // the level in the headers, which is never a quota (HDR-C2)
  readonly retryAfterUs: number; // 0: admitted; infinity: no wait helps
  readonly delayUs: number; // how long an admitted request waits for its turn (ALG-C10); 0: no wait
  readonly limit: number; // -1: no level has values for the headers
  readonly remaining: number;
  readonly resetUs: number;
  readonly changes: readonly { readonly level: Level; readonly change: AllowanceChange }[];
  readonly fallback: boolean; // decided without the store (ALG-C8)
}

/**
 * A decision that can be overwritten. A caller that needs each decision only until the next one passes the same draft
 * again, so that decisions leave no garbage. A caller that retains decisions passes none.
 */
export type DecisionDraft = { -readonly [Name in keyof Decision]: Decision[Name] };

/** A decision that admits without a limit. The fields are listed, because copying an object takes longer. */
export const newDecision = (): DecisionDraft => ({
  refused: null,
  level: null,
  shown: null,
  retryAfterUs: 0,
  delayUs: 0,
  limit: -1,
  remaining: -1,
  resetUs: 0,
  changes: NO_CHANGES,
  fallback: false,
});

export const UNLIMITED: Decision = newDecision();

/** The decision if the store is unreachable and `on_store_error` is `deny` (ALG-C8). */
export const UNAVAILABLE: Decision = {
  ...UNLIMITED,
  refused: "store",
  retryAfterUs: SECOND,
  fallback: true,
};

/** Builds one decision from the store's reply for all levels. */
export function conclude(
  levels: readonly Level[],
  reply: Reply,
  fallback: boolean,
  into: DecisionDraft = newDecision(),
): Decision {
  const by = reply.refusedBy < 0 ? null : levels[reply.refusedBy]!;
  const shown = reply.shown < 0 ? null : levels[reply.shown]!;
  into.refused = by === null ? null : isQuota(by.budget.scope) ? "quota" : "rate";
  into.level = by ?? shown;
  into.shown = shown;
  into.retryAfterUs = reply.waitUs;
  into.delayUs = by === null ? reply.delayUs : 0;
  into.limit = reply.limit;
  into.remaining = reply.remaining;
  into.resetUs = reply.resetUs;
  into.changes = reply.changes;
  into.fallback = fallback;
  return into;
}

/** Retry-After in whole seconds (HDR-C1); null: no header, because no wait helps. */
export const retryAfterSeconds = (decision: Decision): number | null =>
  decision.refused === null || !Number.isFinite(decision.retryAfterUs)
    ? null
    : waitSeconds(decision.retryAfterUs);
