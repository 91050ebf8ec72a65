// A decoded scenario file, without any text that still has to be parsed. Times are Micros from the start of the run,
// not since the epoch; a driver adds the epoch.
import type { Distribution } from "../../kit/chance/distribution.ts";
import type { GapFamily } from "../../kit/chance/gaps.ts";
import type { RateSpread } from "../../kit/chance/rates.ts";
import type { Micros } from "../../kit/units.ts";
import type { Fault } from "./fault.ts";
import type { Expectation } from "./expectation.ts";
import type { Network } from "./networks.ts";
import type { Json } from "../../kit/reading/shape.ts";
import type { World, ManagementInterface } from "./world.ts";

export type { Distribution, Fault };
export type {
  Filter,
  Runs,
  Comparison,
  AcrossVariants,
  Quantity,
  Measure,
  Invariant,
  Expectation,
} from "./expectation.ts";

/** Capabilities that a scenario may need from a driver. If one is missing, the scenario is `unsupported`. */
export type Capability =
  | "events"
  | "gauges"
  | "event-time"
  | "store-commands"
  | "store-size"
  | "faults"
  | "fleet"
  | "latency"
  | "calls"
  | "deliveries"
  | "sequential-clients";

export interface Scenario {
  readonly id: string; // folder/name, from the path of the file
  readonly file: string;
  readonly title: string;
  readonly about: string;
  readonly proves: readonly string[];
  readonly needs: readonly Capability[];
  readonly variants: readonly Variant[]; // without a matrix, one variant without axes
  readonly charts: readonly Json[];
  readonly lists: readonly ResultList[];
}

/** Additional lists that the results of a run can have. */
export const RESULT_LISTS = ["clients"] as const;
type ResultList = (typeof RESULT_LISTS)[number];

/** One cell of the matrix, decoded: its world, traffic and expectations. */
export interface Variant {
  readonly name: string; // "algorithm=sliding_log order=2", "" without a matrix
  readonly axes: Readonly<Record<string, Json>>;
  readonly world: World;
  readonly traffic: readonly Flow[];
  readonly calls: readonly ManagementCall[]; // in order of time
  readonly faults: readonly Fault[];
  readonly expectations: readonly Expectation[]; // those whose `where` includes this cell
}

// ---------------------------------------------------------------- traffic

export type Behaviour =
  | { readonly kind: "ignore" }
  | { readonly kind: "honour_retry_after"; readonly maxAttempts: number }
  | {
      readonly kind: "backoff";
      readonly baseUs: Micros;
      readonly factor: number;
      readonly jitter: number;
      readonly maxAttempts: number;
      readonly maxUs?: Micros; // longest wait; unset: no limit
    }
  | {
      readonly kind: "atb";
      readonly bucket: number; // capacity in tokens
      readonly perMinute: number; // initial rate
      readonly step: number; // factor of the rate after an admission, below the rate at the last 429
      readonly stepAbove: number; // factor of the rate after an admission, from the rate at the last 429 on
      readonly maxAttempts: number;
    }
  | {
      readonly kind: "aatb";
      readonly bucket: number;
      readonly perMinute: number;
      readonly step: number; // factor of the rate of a client that sends little
      readonly stepBusy: number; // factor of the rate of a client that sends more
      readonly quotaPerMinute: number; // limit of the clients' common budget
      readonly reportUs: Micros;
      readonly maxAttempts: number;
    };

export interface TrafficStage {
  readonly name: string;
  readonly fromRate: number; // requests per second
  readonly toRate: number;
  readonly forUs: Micros;
}

export type TrafficShape =
  | { readonly kind: "burst"; readonly count: number }
  | { readonly kind: "every"; readonly intervalUs: Micros; readonly count: number }
  | { readonly kind: "rate" | "poisson"; readonly rate: number; readonly forUs: Micros }
  | {
      readonly kind: "stages";
      readonly stages: readonly TrafficStage[];
      readonly arrivals: "uniform" | "poisson";
    }
  | {
      readonly kind: "on_off";
      readonly onUs: Micros;
      readonly offUs: Micros;
      readonly rate: number;
      readonly forUs: Micros;
    }
  | {
      readonly kind: "population"; // clients that send independently
      readonly rate: number; // of all clients together, per second
      readonly forUs: Micros;
      readonly gaps: GapFamily;
      readonly cv: number; // coefficient of variation of a client's gaps
      readonly rates?: Exclude<RateSpread, { kind: "zipf" }>; // drawn rates; unset: rates follow the flow's skew
    }
  | {
      readonly kind: "cron"; // each client sends again and again after a time
      readonly everyUs: Micros;
      readonly offsetUs: Micros; // each client begins later by less than this; 0: all at the same time
      readonly jitterUs: Micros; // each client is late by less than this, each time
      readonly count: number; // requests of each client at each time
      readonly forUs: Micros;
    }
  | { readonly kind: "trace"; readonly timesUs: readonly Micros[] };

export interface Flow {
  readonly name: string;
  readonly as: string | null; // null: without a credential
  readonly method: string;
  readonly path: string; // as sent, with the listen path
  readonly headers: Readonly<Record<string, string>>;
  readonly atUs: Micros;
  readonly shape: TrafficShape;
  readonly clients: number; // number of clients; client i uses credential i modulo the number of credentials
  readonly skew: number; // Zipf exponent for choosing clients; 0: in turn
  readonly behaviour: Behaviour;
  /** Whether each client waits for the end of a request before the next. Unset: its behaviour decides. */
  readonly isSequential?: true;
  readonly cost?: number; // units of each request (LIM-C19); unset: 1
  readonly from?: Senders; // unset: 127.0.0.1
  /** A flow that mixes keys or paths is stored as several parts with one name. Unset: this is the whole flow. */
  readonly mix?: Mixture;
  readonly item?: number; // index in the traffic of the file
}

/** The addresses of a flow's clients, used in turn or drawn by weight. */
interface Senders {
  readonly networks: readonly Network[];
  readonly weights: readonly number[] | null;
}

/** Parts are sorted by key, and for each key by path. */
export interface Mixture {
  readonly as: { readonly count: number; readonly weights: readonly number[] | null };
  readonly send: { readonly count: number; readonly weights: readonly number[] | null };
  readonly part: number; // index of this part
}

/** A single request to a management API at a given time. */
export interface ManagementCall {
  readonly name: string;
  readonly on: ManagementInterface;
  readonly method: string;
  readonly path: string; // below the interface's base, with a leading slash
  readonly as: CallCredential;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null; // as sent
  readonly atUs: Micros;
}

/** Which credential a call sends. */
export const CALL_CREDENTIALS = ["valid", "invalid", "empty", "none"] as const;
type CallCredential = (typeof CALL_CREDENTIALS)[number];

// ---------------------------------------------------------------- plan

/** All arrivals except retries, which depend on responses: fixed before anything runs, as columns sorted by time. */
export interface Plan {
  readonly scenario: string;
  readonly variant: string;
  readonly seed: number;
  readonly flows: readonly Flow[];
  readonly atUs: Float64Array;
  readonly flow: Uint32Array; // index in flows
  readonly client: Uint32Array; // number within its flow
  readonly stage: Int32Array; // index in the flow's stages; -1 without stages
  readonly address?: Int32Array; // index in addresses, -1: 127.0.0.1; unset if no flow has `from`
  readonly addresses?: readonly string[];
  readonly untilUs: Micros; // the later one of the last arrival and the end of the last shape
  /** The most attempts of a run, retries included; one more attempt ends the run. Unset: memory is the only limit. */
  readonly mostAttempts?: number;
}
