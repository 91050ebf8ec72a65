// What happened, as columns: one row a request in the order in which they were decided. A driver
// writes it, checks and oracle read it, a file holds it as one JSON record a line.
import type { Scope } from "../../limiter/core/budget.ts";
import type { ManagementInterface } from "./world.ts";
import type { Json } from "../../kit/reading/shape.ts";
import type { Micros } from "../../kit/units.ts";

export type Timing =
  | { readonly kind: "exact" }
  | {
      readonly kind: "bounded";
      readonly jitterUs: Micros; // the most by which a request was sent late
      readonly maxUs: Micros;
      /** The gateways reported by which of their times they decided: `stampUs` is known, or else NaN. */
      readonly isStamped: boolean;
      /** Of a gateway of others, whose clock may move in steps: a decision may count as earlier by this much. */
      readonly stepUs?: Micros;
      /** By how much that clock may differ from the client's; infinite on another host. Left out: 20 ms. */
      readonly clockUs?: Micros;
    };

/** Format 2 did not have the fields of the standard, format 3 had no calls, format 4 had no rows for lost requests. */
export const HISTORY_FORMAT = "weir-history/5" as const;

/** The driver of histories whose gateway is not Weir's: its headers, and the words of its refusals, are its own. */
export const FOREIGN_DRIVER = "remote";

/** The address of a client whose flow has no `from`: as if it ran on the gateway's machine. */
export const LOOPBACK = "127.0.0.1";

/** The header with the cost of a flow's requests (LIM-C19), if the world names none. */
export const COST_HEADER = "weir-cost";

export interface HistoryHeader {
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
  readonly bodies: readonly Json[]; // bodies that the gateway itself returned, index = column `body`
  readonly fields: readonly string[]; // texts of the standard's header fields, index = columns `policy`, `standing`
  /** The addresses of clients. Left out if no flow has `from`. */
  readonly addresses?: readonly string[];
}

/** A budget, as a refusal names it. */
export interface BudgetText {
  readonly name: string; // space and identity, as the store's key has it
  readonly scope: Scope;
  readonly algorithm: string;
  readonly rate: number;
  readonly perUs: Micros;
  readonly because: readonly string[];
}

/** A history has positions in this list: only append. */
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
  // Lost: no response (LIM-C18).
  "unreachable", // no gateway took it
  "ended", // its gateway ended before the response
  "broken", // its connection broke
  "timeout", // its client stopped waiting
] as const;
export type DecisionReason = (typeof REASONS)[number];

export type LossReason = Extract<DecisionReason, "unreachable" | "ended" | "broken" | "timeout">;

/** In the column `status` of a request without a response. */
export const NO_STATUS = 0;

export const isLost = (status: number): boolean => status === NO_STATUS;

/** In the column `gateway` of a request that no gateway took. */
export const NO_GATEWAY = 65_535;

export interface Requests {
  readonly length: number;
  readonly plannedUs: Float64Array; // of the first attempt
  readonly sentUs: Float64Array; // of this attempt
  readonly fromUs: Float64Array; // the decision fell in [from, to], in true time; of a lost request, if there was one
  readonly toUs: Float64Array;
  readonly stampUs: Float64Array; // the deciding gateway's own clock, from the epoch of the run
  readonly answeredUs: Float64Array; // the response, or the client knows that there is none
  readonly delayUs: Float64Array; // from the decision to its turn; 0: admitted at once, or not at all (ALG-C10)
  readonly status: Uint16Array; // NO_STATUS: lost
  readonly reason: Uint8Array; // index in REASONS; "none" for an admitted request
  readonly flow: Uint16Array;
  readonly stage: Int16Array; // -1 without
  readonly client: Uint32Array;
  readonly address: Int32Array; // -1: LOOPBACK
  readonly attempt: Uint16Array; // 0 for the planned one
  readonly gateway: Uint16Array; // NO_GATEWAY: none took it
  readonly fleet: Uint16Array; // n as the deciding gateway knew it
  readonly key: Int32Array; // -1: none was recognised
  readonly api: Int32Array;
  readonly budget: Int32Array; // the budget that decided; -1: none applied
  readonly body: Int32Array; // -1: the upstream's, which is not recorded
  readonly retryAfterS: Float64Array; // NaN: no header
  readonly limit: Float64Array; // header values; NaN: no header
  readonly remaining: Float64Array;
  readonly resetUs: Float64Array;
  readonly policy: Int32Array; // RateLimit-Policy; -1: no header
  readonly standing: Int32Array; // RateLimit
  readonly commandsBefore: Uint16Array; // store commands until the answer, inside scripts too
  readonly commandsAll: Uint16Array; // with background writes
  readonly cost: Uint16Array; // units of each limit (LIM-C19)
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

export interface HistorySpan {
  readonly what: "store_down" | "fallback" | "fault";
  readonly gateway: number | null;
  readonly fromUs: Micros;
  readonly toUs: Micros;
  readonly text: string;
}

/** A call to a management API, and its response. */
export interface HistoryCall {
  readonly call: string; // name of the call
  readonly on: ManagementInterface;
  readonly method: string;
  readonly path: string; // behind the interface's base
  readonly gateway: number; // that received it
  readonly plannedUs: Micros;
  readonly sentUs: Micros;
  readonly answeredUs: Micros;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>; // names in small letters; those of the connection are left out
  /** Null where there is none; an integer that no double holds is its digits. */
  readonly body: Json;
}

/** A call without a response has changed nothing that is known. */
export const hasSucceeded = ({ status }: Pick<HistoryCall, "status">): boolean =>
  !isLost(status) && status < 300;

/** One attempt to deliver an event to a webhook, and its result. */
export interface HistoryDelivery {
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
  readonly status: number | null; // null: no response
  readonly error: string | null;
  /** The state of the delivery in the records at the end of the run; null: no record. */
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
  readonly header: HistoryHeader;
  readonly requests: Requests;
  readonly events: readonly HistoryEvent[];
  readonly gauges: readonly GaugeSample[];
  readonly spans: readonly HistorySpan[];
  readonly calls: readonly HistoryCall[]; // in the order of their responses
  readonly deliveries: readonly HistoryDelivery[]; // in the order in which they ended
  readonly store: StoreTotals;
}
