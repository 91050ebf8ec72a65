import { isQuota } from "./budget.ts";
import type { AllowanceChange } from "./smoothing.ts";
import type { Level, Reply } from "./store.ts";
import { SECOND, waitSeconds } from "./units.ts";

/** Why a request does not pass: its rate (429), its quota (403), or a store that is away (503). */
export type Refusal = "rate" | "quota" | "store";

/**
 * The answer of the limiter. A refusal is a value: it names the budget that decided, through it the
 * rules (`level.budget.because`), and it knows when to come back.
 */
export interface Decision {
  readonly refused: Refusal | null;
  readonly level: Level | null; // who refused, or the tightest one; null where nothing limits
  readonly shown: Level | null; // whose values the headers carry: a quota has none (HDR-C2)
  readonly retryAfterUs: number; // 0: admitted; infinity: waiting does not help
  readonly limit: number; // -1: nothing is shown
  readonly remaining: number;
  readonly resetUs: number;
  readonly changes: readonly { readonly level: Level; readonly change: AllowanceChange }[];
  readonly fallback: boolean; // decided without the store (ALG-C8)
}

export const UNLIMITED: Decision = {
  refused: null,
  level: null,
  shown: null,
  retryAfterUs: 0,
  limit: -1,
  remaining: -1,
  resetUs: 0,
  changes: [],
  fallback: false,
};

/** `on_store_error: deny` (ALG-C8). */
export const UNAVAILABLE: Decision = {
  ...UNLIMITED,
  refused: "store",
  retryAfterUs: SECOND,
  fallback: true,
};

/**
 * Where a decision is written. Whoever needs each one only until the next brings the same draft again,
 * and leaves nothing behind for the collector; whoever keeps decisions brings none.
 */
export type DecisionDraft = { -readonly [Name in keyof Decision]: Decision[Name] };

export const newDecision = (): DecisionDraft => ({ ...UNLIMITED });

/** Turns what the store said of all levels into one answer. */
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
