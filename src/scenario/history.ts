// What happened, as columns: one row a request in the order in which they were decided. A driver
// writes it, checks and oracle read it, a file holds it as one JSON record a line.
import type { Scope } from "../core/budget.ts";
import type { ManagementInterface } from "./world.ts";
import type { Json } from "../reading/shape.ts";
import type { Micros } from "../core/units.ts";

export type Timing =
  | { readonly kind: "exact" }
  | {
      readonly kind: "bounded";
      readonly jitterUs: Micros; // the most by which a request was sent late
      readonly maxUs: Micros;
      /** The gateways told by which of their times they decided: `stampUs` is known, or else NaN. */
      readonly isStamped: boolean;
    };

/** 2 did not tell what the fields of the standard said, 3 knew no calls. */
export const HISTORY_FORMAT = "weir-history/4" as const;

/** The address of a client whose flow says none: as if it ran on the gateway's machine. */
export const LOOPBACK = "127.0.0.1";

export interface Header {
  readonly format: typeof HISTORY_FORMAT;
  readonly scenario: string;
  readonly variant: string;
  readonly axes: Readonly<Record<string, Json>>;
  readonly seed: number;
  readonly driver: string;
  readonly timing: Timing;
  readonly epochUs: Micros; // times in the history count from here
  /** One for each combination of key and path: a flow that mixes them has several, of one name. */
  readonly flows: readonly {
    readonly name: string;
    readonly as: string | null;
    readonly method: string;
    readonly path: string;
    readonly stages: readonly string[];
  }[];
  readonly keys: readonly string[]; // key ids, index = column `key`
  readonly apis: readonly string[]; // API ids, index = column `api`
  readonly budgets: readonly BudgetText[]; // index = column `budget`
  readonly bodies: readonly Json[]; // what the gateway itself answered, index = column `body`
  readonly fields: readonly string[]; // what the standard's fields said, index = columns `policy`, `standing`
  /** Where clients come from, index = column `address`. Left out where no flow says it. */
  readonly addresses?: readonly string[];
}

/** A budget as a refusal names it. */
export interface BudgetText {
  readonly name: string; // space and identity, as the store's key has it
  readonly scope: Scope;
  readonly algorithm: string;
  readonly rate: number;
  readonly perUs: Micros;
  readonly because: readonly string[];
}

export const REASONS = [
  "none",
  "rate",
  "quota",
  "store",
  "credential",
  "access",
  "state",
  "path",
  "message",
] as const;
export type Reason = (typeof REASONS)[number];

export interface Requests {
  readonly length: number;
  readonly plannedUs: Float64Array; // of the first attempt
  readonly sentUs: Float64Array; // of this attempt
  readonly fromUs: Float64Array; // the decision fell in [from, to], in true time
  readonly toUs: Float64Array;
  readonly stampUs: Float64Array; // the deciding gateway's own clock, from the epoch of the run
  readonly answeredUs: Float64Array;
  readonly status: Uint16Array;
  readonly reason: Uint8Array; // index in REASONS; "none" for an admitted request
  readonly flow: Uint16Array;
  readonly stage: Int16Array; // -1 without
  readonly client: Uint32Array;
  readonly address: Int32Array; // -1: LOOPBACK
  readonly attempt: Uint16Array; // 0 for the planned one
  readonly gateway: Uint16Array;
  readonly fleet: Uint16Array; // n as the deciding gateway knew it
  readonly key: Int32Array; // -1: none was recognised
  readonly api: Int32Array;
  readonly budget: Int32Array; // the budget that decided; -1: none applied
  readonly body: Int32Array; // -1: the upstream's, which is not kept
  readonly retryAfterS: Float64Array; // NaN: no header
  readonly limit: Float64Array; // header values; NaN: no header
  readonly remaining: Float64Array;
  readonly resetUs: Float64Array;
  readonly policy: Int32Array; // RateLimit-Policy; -1: no header
  readonly standing: Int32Array; // RateLimit
  readonly commandsBefore: Uint16Array; // store commands until the answer, inside scripts too
  readonly commandsAll: Uint16Array; // with what is written behind it
}

export interface HistoryEvent {
  readonly event: string; // RateLimitSmoothingUp, RatelimitExceeded, ...
  readonly atUs: Micros; // true time at which it was emitted
  readonly stampUs: Micros; // the time it carries (SMO-C6)
  readonly gateway: number;
  readonly key: string | null; // key id
  readonly api: string | null;
  readonly budget: string | null;
  readonly value: number | null; // smoothing: the new allowance
}

export interface GaugeSample {
  readonly gauge: "allowance" | "entries" | "bytes";
  readonly atUs: Micros;
  readonly key: string | null;
  readonly budget: string | null; // one key may have several, and several keys one (SMO-C7, LIM-C8)
  readonly gateway: number | null;
  readonly value: number;
}

export interface Span {
  readonly what: "store_down" | "fallback" | "fault";
  readonly gateway: number | null;
  readonly fromUs: Micros;
  readonly toUs: Micros;
  readonly text: string;
}

/** A call to a management interface, and what was answered. */
export interface CallMade {
  readonly call: string; // its name
  readonly on: ManagementInterface;
  readonly method: string;
  readonly path: string; // behind the interface's base
  readonly gateway: number; // that took it
  readonly plannedUs: Micros;
  readonly sentUs: Micros;
  readonly answeredUs: Micros;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>; // names in small letters; those of the way are left out
  /** Null where there is none; an integer that no double holds is its digits. */
  readonly body: Json;
}

/** One attempt to deliver an event to a webhook, and what became of it. */
export interface DeliveryMade {
  readonly delivery: string; // its id
  readonly webhook: string;
  readonly event: string;
  readonly attempt: number; // from 1
  readonly sentUs: Micros;
  readonly endedUs: Micros;
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>; // names in small letters
  readonly body: Json;
  readonly status: number | null; // null: nothing was answered
  readonly error: string | null;
  /** What the records say of the delivery when the run is over; null: nothing. */
  readonly state: string | null;
}

export interface StoreTotals {
  readonly commands: number; // what the network sees
  readonly inner: number; // what scripts did inside
  readonly roundTrips: number;
  readonly peakEntries: number;
  readonly peakBytes: number;
}

export interface History {
  readonly header: Header;
  readonly requests: Requests;
  readonly events: readonly HistoryEvent[];
  readonly gauges: readonly GaugeSample[];
  readonly spans: readonly Span[];
  readonly calls: readonly CallMade[]; // as they were answered
  readonly deliveries: readonly DeliveryMade[]; // as they ended
  readonly store: StoreTotals;
  /** Sent, but not decided when the run ended: a driver that lost requests says so here. */
  readonly unanswered: number;
}
