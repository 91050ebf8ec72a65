import type { AllowanceChange } from "./smoothing.ts";
import type { Level, Reply } from "./store.ts";
import type { Micros } from "./units.ts";

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
  readonly limit: number; // NaN: no header values
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
  limit: Number.NaN,
  remaining: Number.NaN,
  resetUs: Number.NaN,
  changes: [],
  fallback: false,
};

const ONE_SECOND = 1_000_000;

/** `on_store_error: deny` (ALG-C8). */
export const UNAVAILABLE: Decision = {
  ...UNLIMITED,
  refused: "store",
  retryAfterUs: ONE_SECOND,
  fallback: true,
};

/** Turns what the store said of all levels into one answer. */
export function conclude(levels: readonly Level[], reply: Reply, fallback: boolean): Decision {
  const { refusedBy } = reply;
  const by = refusedBy < 0 ? null : levels[refusedBy]!;
  const refused = by === null ? null : by.budget.scope === "quota" ? "quota" : "rate";
  let retryAfterUs = 0;
  let shown = refused === "rate" ? refusedBy : -1;
  for (let i = 0; i < levels.length; i++) {
    if (by !== null && reply.waitUs[i]! > retryAfterUs) retryAfterUs = reply.waitUs[i]!;
    if (
      refused !== "rate" &&
      levels[i]!.budget.scope !== "quota" &&
      (shown < 0 || isTighter(reply, i, shown))
    )
      shown = i;
  }
  return {
    refused,
    level: by ?? (shown < 0 ? null : levels[shown]!),
    shown: shown < 0 ? null : levels[shown]!,
    retryAfterUs: refused === "quota" ? reply.waitUs[refusedBy]! : retryAfterUs,
    limit: shown < 0 ? Number.NaN : reply.limit[shown]!,
    remaining: shown < 0 ? Number.NaN : reply.remaining[shown]!,
    resetUs: shown < 0 ? Number.NaN : reply.resetUs[shown]!,
    changes: reply.changes,
    fallback,
  };
}

/** HDR-C2: fewest remaining, then latest reset. */
const isTighter = (reply: Reply, a: number, b: number): boolean =>
  reply.remaining[a]! < reply.remaining[b]! ||
  (reply.remaining[a]! === reply.remaining[b]! && reply.resetUs[a]! > reply.resetUs[b]!);

/** Retry-After in whole seconds (HDR-C1); null: no header, because no wait helps. */
export const retryAfterSeconds = (decision: Decision): number | null =>
  decision.refused === null || !Number.isFinite(decision.retryAfterUs)
    ? null
    : Math.max(1, Math.ceil(decision.retryAfterUs / ONE_SECOND));

export interface LimiterEvent {
  readonly event:
    | "RateLimitSmoothingUp"
    | "RateLimitSmoothingDown"
    | "RatelimitExceeded"
    | "QuotaExceeded"
    | "PolicyMissing"
    | "StoreUnavailable"
    | "StoreRecovered";
  readonly stampUs: Micros; // the time it is about, by the deciding gateway's clock
  readonly key: string | null;
  readonly api: string | null;
  readonly budget: string | null;
  readonly value: number | null;
}
