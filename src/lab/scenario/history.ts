// What happened in a run, as columns: one row for each request, in the order of decisions. A driver writes a history,
// checks and oracle read it, and a file has one JSON record per line.
import type { Scope } from "../../limiter/core/budget.ts";
import type { ManagementInterface } from "./world.ts";
import type { Json } from "../../kit/reading/shape.ts";
import type { Micros } from "../../kit/units.ts";

export type Timing =
  | { readonly kind: "exact" }
  | {
      readonly kind: "bounded";
      readonly jitterUs: Micros; // the most by which a request was late
      readonly maxUs: Micros;
      /** Whether gateways reported the stamp by which they decided: then `stampUs` is known, else NaN. */
      readonly isStamped: boolean;
      /** The step of a foreign gateway's clock: a stamp may be earlier than its decision by this much. */
      readonly stepUs?: Micros;
      /** The most by which a foreign clock may differ from the client's; infinite: another host. Unset: 20 ms. */
      readonly clockUs?: Micros;
    };

/** The only format that Weir reads. Format 2 lacked RateLimit fields, format 3 calls, format 4 lost requests. */
export const HISTORY_FORMAT = "weir-history/5" as const;

/** The driver for a gateway that is not Weir's and has its own headers and refusal texts. */
export const FOREIGN_DRIVER = "remote";

/** The address of clients whose flow has no `from`, as if they ran on the gateway's machine. */
export const LOOPBACK = "127.0.0.1";

/** The header for the cost of a flow's requests (LIM-C19) if the world names none. */
export const COST_HEADER = "weir-cost";

export interface HistoryHeader {
  readonly format: typeof HISTORY_FORMAT;
  readonly scenario: string;
  readonly variant: string;
  readonly axes: Readonly<Record<string, Json>>;
  readonly seed: number;
  readonly driver: string;
  readonly timing: Timing;
  readonly epochUs: Micros; // the start of the run, to which all times are relative
  /** One for each combination of key and path, so a flow that mixes them occurs several times by the same name. */
  readonly flows: readonly {
    readonly name: string;
    readonly as: string | null;
    readonly method: string;
    readonly path: string;
    readonly stages: readonly string[];
  }[];
  readonly keys: readonly string[]; // key ids, indexed by column `key`
  readonly apis: readonly string[]; // API ids, indexed by column `api`
  readonly budgets: readonly BudgetText[]; // indexed by column `budget`
  readonly bodies: readonly Json[]; // bodies that the gateway itself returned, indexed by column `body`
  readonly fields: readonly string[]; // standard header fields, indexed by columns `policy` and `standing`
  /** The addresses of clients. Unset if no flow has `from`. */
  readonly addresses?: readonly string[];
}

/** A budget, as named in refusals. */
export interface BudgetText {
  readonly name: string; // space and identity, as in the store's key
  readonly scope: Scope;
  readonly algorithm: string;
  readonly rate: number;
  readonly perUs: Micros;
  readonly because: readonly string[];
}

/** Histories store positions in this list: only append to it. */
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
  // Reasons of lost requests (LIM-C18).
  "unreachable", // no gateway received it
  "ended", // its gateway ended before the response
  "broken", // its connection broke
  "timeout", // its client gave up waiting
] as const;
export type DecisionReason = (typeof REASONS)[number];

export type LossReason = Extract<DecisionReason, "unreachable" | "ended" | "broken" | "timeout">;

/** The value of column `status` for a request without a response. */
export const NO_STATUS = 0;

export const isLost = (status: number): boolean => status === NO_STATUS;

/** The value of column `gateway` for a request that no gateway received. */
export const NO_GATEWAY = 65_535;

export interface Requests {
  readonly length: number;
  readonly plannedUs: Float64Array; // planned time of the first attempt
  readonly sentUs: Float64Array; // when this attempt was sent
  readonly fromUs: Float64Array; // range of the decision in true time; a lost request may have no decision
  readonly toUs: Float64Array;
  readonly stampUs: Float64Array; // time of the decision on its gateway's clock, since the epoch of the run
  readonly answeredUs: Float64Array; // when the client had the response, or the request was lost
  readonly delayUs: Float64Array; // wait until its turn; 0: no wait, or not admitted (ALG-C10)
  readonly status: Uint16Array; // NO_STATUS if lost
  readonly reason: Uint8Array; // index in REASONS; "none" for an admitted request
  readonly flow: Uint16Array;
  readonly stage: Int16Array; // -1 if the flow has no stages
  readonly client: Uint32Array;
  readonly address: Int32Array; // -1 means LOOPBACK
  readonly attempt: Uint16Array; // 0 for the planned attempt
  readonly gateway: Uint16Array; // NO_GATEWAY if none received it
  readonly fleet: Uint16Array; // number of active gateways that the deciding one counted
  readonly key: Int32Array; // -1 if none was recognised
  readonly api: Int32Array;
  readonly budget: Int32Array; // the budget that decided; -1 if none applied
  readonly body: Int32Array; // -1 for a body of the upstream, which is not recorded
  readonly retryAfterS: Float64Array; // NaN if the header is absent
  readonly limit: Float64Array; // header values; NaN if absent
  readonly remaining: Float64Array;
  readonly resetUs: Float64Array;
  readonly policy: Int32Array; // RateLimit-Policy; -1 if absent
  readonly standing: Int32Array; // the field RateLimit; -1 if absent
  readonly commandsBefore: Uint16Array; // store commands before the response, including those in scripts
  readonly commandsAll: Uint16Array; // background writes included
  readonly cost: Uint16Array; // units spent from each limit (LIM-C19)
}

export interface HistoryEvent {
  readonly event: string; // RateLimitSmoothingUp, RatelimitExceeded, ...
  readonly atUs: Micros; // true time of emission
  readonly stampUs: Micros; // timestamp in the event (SMO-C6)
  readonly gateway: number;
  readonly key: string | null; // id of the key
  readonly api: string | null;
  readonly budget: string | null;
  readonly value: number | null; // the new allowance, for events of smoothing
}

export interface GaugeSample {
  readonly gauge: "allowance" | "entries" | "bytes";
  readonly atUs: Micros;
  readonly key: string | null;
  readonly budget: string | null; // a key may have several budgets, and keys may share one (SMO-C7, LIM-C8)
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
  readonly path: string; // without the interface's base
  readonly gateway: number; // the gateway that received it
  readonly plannedUs: Micros;
  readonly sentUs: Micros;
  readonly answeredUs: Micros;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>; // names in lower case; connection headers are left out
  /** Null if the body is empty. An integer too large for a double is a string of its digits. */
  readonly body: Json;
}

/** Whether the call succeeded. A call without a response is taken as one that changed nothing. */
export const hasSucceeded = ({ status }: Pick<HistoryCall, "status">): boolean =>
  !isLost(status) && status < 300;

/** One attempt to deliver an event to a webhook, and its result. */
export interface HistoryDelivery {
  readonly delivery: string; // id of the delivery
  readonly webhook: string;
  readonly event: string;
  readonly attempt: number; // counted from 1
  readonly sentUs: Micros;
  readonly endedUs: Micros;
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>; // names in lower case
  readonly body: Json;
  readonly status: number | null; // null if there was no response
  readonly error: string | null;
  /** The delivery's state in the records at the end of the run; null if it has no record. */
  readonly state: string | null;
}

export interface StoreTotals {
  readonly commands: number; // commands sent over the network
  readonly inner: number; // commands run inside scripts
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
  readonly deliveries: readonly HistoryDelivery[]; // sorted by `endedUs`
  readonly store: StoreTotals;
}
