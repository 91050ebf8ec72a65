// A decoded scenario file: nothing in here is text any more. Times are Micros from the start of the run, not since the
// epoch; a driver adds the epoch.
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

/** What a driver must offer for a scenario to run on it; anything missing makes it `unsupported`. */
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
  readonly id: string; // folder/name, as the file is called
  readonly file: string;
  readonly title: string;
  readonly about: string;
  readonly proves: readonly string[];
  readonly needs: readonly Capability[];
  readonly variants: readonly Variant[]; // one without axes where there is no matrix
  readonly charts: readonly Json[];
  readonly lists: readonly ResultList[];
}

/** What the results of a run list in addition. */
export const RESULT_LISTS = ["clients"] as const;
type ResultList = (typeof RESULT_LISTS)[number];

/** One cell of the matrix, fully decoded: its world, traffic and expectations. */
export interface Variant {
  readonly name: string; // "algorithm=sliding_log order=2", "" without a matrix
  readonly axes: Readonly<Record<string, Json>>;
  readonly world: World;
  readonly traffic: readonly Flow[];
  readonly calls: readonly ManagementCall[]; // in order of time
  readonly faults: readonly Fault[];
  readonly expectations: readonly Expectation[]; // those whose `where` holds in this cell
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
      readonly maxUs?: Micros; // no wait is longer; left out: any may be
    }
  | {
      readonly kind: "atb";
      readonly bucket: number; // tokens
      readonly perMinute: number; // at the start
      readonly step: number; // the rate times this after an admission, below the rate of the last 429
      readonly stepAbove: number; // and otherwise
      readonly maxAttempts: number;
    }
  | {
      readonly kind: "aatb";
      readonly bucket: number;
      readonly perMinute: number;
      readonly step: number; // of a client that sends little
      readonly stepBusy: number; // of others
      readonly quotaPerMinute: number; // of the budget that the clients share
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
      readonly kind: "population"; // each client sends by itself
      readonly rate: number; // of all clients, per second
      readonly forUs: Micros;
      readonly gaps: GapFamily;
      readonly cv: number; // of the gaps of each client: deviation over mean
      readonly rates?: Exclude<RateSpread, { kind: "zipf" }>; // drawn; left out: by the skew of the flow
    }
  | {
      readonly kind: "cron"; // all clients together
      readonly everyUs: Micros;
      readonly jitterUs: Micros; // a client is late by less than this
      readonly count: number; // requests of each client each time
      readonly forUs: Micros;
    }
  | { readonly kind: "trace"; readonly timesUs: readonly Micros[] };

export interface Flow {
  readonly name: string;
  readonly as: string | null; // null: no credential
  readonly method: string;
  readonly path: string; // as sent, listen path included
  readonly headers: Readonly<Record<string, string>>;
  readonly atUs: Micros;
  readonly shape: TrafficShape;
  readonly clients: number; // independent clients; client i uses credential i modulo their number
  readonly skew: number; // Zipf exponent of the choice among clients; 0: in turn
  readonly behaviour: Behaviour;
  /** Each client waits for the end of a request before it sends the next one. Left out: no, unless its behaviour does. */
  readonly isSequential?: true;
  readonly cost?: number; // units of each request (LIM-C19); left out: 1
  readonly from?: Senders; // left out: 127.0.0.1
  /** A flow that mixes keys or paths is several of one name, one for each combination. Left out: this is all of it. */
  readonly mix?: Mixture;
  readonly item?: number; // its place in the traffic of the file
}

/** The addresses of a flow's clients: in turn, or drawn by weight. */
interface Senders {
  readonly networks: readonly Network[];
  readonly weights: readonly number[] | null;
}

/** The parts of a flow follow one another: for the first key one for each path, then for the next. */
export interface Mixture {
  readonly as: { readonly count: number; readonly weights: readonly number[] | null };
  readonly send: { readonly count: number; readonly weights: readonly number[] | null };
  readonly part: number; // which of them this is
}

/** A request to a management API, once, at a time of its own. */
export interface ManagementCall {
  readonly name: string;
  readonly on: ManagementInterface;
  readonly method: string;
  readonly path: string; // after the interface's base, with its slash
  readonly as: CallCredential;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null; // as it is sent
  readonly atUs: Micros;
}

/** The credential that a call sends. */
export const CALL_CREDENTIALS = ["valid", "invalid", "empty", "none"] as const;
type CallCredential = (typeof CALL_CREDENTIALS)[number];

// ---------------------------------------------------------------- plan

/** Every arrival fixed before anything runs, as columns sorted by time. Retries are consequences, not plan. */
export interface Plan {
  readonly scenario: string;
  readonly variant: string;
  readonly seed: number;
  readonly flows: readonly Flow[];
  readonly atUs: Float64Array;
  readonly flow: Uint32Array; // index in flows
  readonly client: Uint32Array; // within its flow
  readonly stage: Int32Array; // index in the flow's stages, -1 without
  readonly address?: Int32Array; // index in addresses, -1: 127.0.0.1; left out where no flow has `from`
  readonly addresses?: readonly string[];
  readonly untilUs: Micros; // the last arrival or the end of the last shape, whichever is later
  /** With retries, at least as many as are planned: a run that sends more is ended. Left out: as many as fit into memory. */
  readonly mostAttempts?: number;
}
