// A suite of benchmarks as its file describes it: one base cell, the factors that vary, and the controls.
import type { Algorithm } from "../../limiter/core/algorithms.ts";
import type { Micros } from "../../kit/units.ts";
import type { Better } from "../../kit/stats/summary.ts";

export type StoreKind = "memory" | "redis";

/** When requests are sent: `closed` after each response; `constant` and `poisson`, the open loops, at planned times. */
export type LoadModel = "closed" | "constant" | "poisson";

/** Which keys the load uses: one, many in turn, or many of which a few send nearly all requests. */
export type Keys = "one" | "many" | "zipf";

/** The factors that determine the cost of a cell. */
export interface Factors {
  readonly algorithm: Algorithm;
  readonly store: StoreKind;
  /** The load as a multiple of the limit: below 1 nothing is refused, at 10 nine tenths are. */
  readonly demand: number;
  readonly keys: Keys;
  readonly connections: number;
  readonly load_model: LoadModel;
}

export const FACTORS = [
  "algorithm",
  "store",
  "demand",
  "keys",
  "connections",
  "load_model",
] as const;

export type Vary = { readonly [F in keyof Factors]: readonly Factors[F][] };

/** The servers that cells are compared with: the upstream alone, Weir without a limit, and other proxies. */
export const CONTROLS = [
  "upstream",
  "unlimited",
  "bare-proxy",
  "bare-proxy-redis",
  "fastify",
  "express",
  "nginx",
] as const;
export type OwnControl = (typeof CONTROLS)[number];

/** A gateway that is not Weir's, with the facts that a comparison has to state. */
export interface ControlOfOthers {
  readonly implementation: string;
  readonly algorithm: string;
  readonly store: StoreKind;
  readonly limit: string;
}

export type Control = OwnControl | ControlOfOthers;

export const nameOfControl = (control: Control): string =>
  typeof control === "string" ? control : control.implementation;

/** A metric of one cell that can fail a comparison. */
export interface Gate<M extends string = string> {
  readonly cell: string;
  readonly metric: M;
}

/** A target for a cell: a value, or a number of times as good as the best of other cells. */
export type BenchTarget =
  | { readonly cell: string; readonly value: number }
  | { readonly cell: string; readonly against: readonly string[]; readonly times: number };

/** The maximum of a metric in each start: a value, or a multiple of a control's. `cell` null: it limits each cell. */
export type BenchBound<M extends string = string> = {
  readonly metric: M;
  readonly cell: string | null;
} & ({ readonly most: number } | { readonly control: OwnControl; readonly times: number });

export interface Suite {
  readonly id: string;
  readonly title: string;
  readonly about: string;
  readonly base: Factors;
  readonly vary: Vary;
  readonly controls: readonly OwnControl[];
  readonly keyCount: number; // the number of keys if `keys` is `many` or `zipf`
  readonly perUs: Micros; // window of every limit: much shorter than a repeat, so that each repeat has many windows
  readonly lastsUs: Micros; // length of one repeat
  readonly warmUpUs: Micros;
  readonly repeats: number; // repeats in each start
  readonly starts: number; // how often all servers are started anew
  readonly bounds: readonly BenchBound<BenchMetricName>[];
  readonly gates: readonly Gate<BenchMetricName>[]; // no more than MOST_GATES
}

export const MOST_GATES = 4;

export interface Metric {
  readonly unit: string;
  readonly better: Better;
  readonly about: string;
}

/** All metrics of a repeat. A metric without a value is missing in a cell. */
export const METRICS = {
  cpu: { unit: "us", better: "less", about: "processor time of the gateway for one request" },
  throughput: { unit: "1/s", better: "more", about: "responses per second" },
  p50: { unit: "ms", better: "less", about: "half of the responses arrived within" },
  p99: { unit: "ms", better: "less", about: "all but one response in a hundred arrived within" },
  p99_admitted: { unit: "ms", better: "less", about: "p99 of admitted requests" },
  p99_refused: { unit: "ms", better: "less", about: "p99 of refused requests" },
  refused: { unit: "%", better: "less", about: "responses with status 429" },
  dropped: { unit: "%", better: "less", about: "planned arrivals that were never sent" },
  late: {
    unit: "ms",
    better: "less",
    about: "p99 of the delay between the planned and the actual send time",
  },
  cpu_store: { unit: "us", better: "less", about: "processor time of the store for one request" },
  cpu_load: {
    unit: "us",
    better: "less",
    about: "processor time of the load generator for one request",
  },
  rss: { unit: "MiB", better: "less", about: "highest memory use of the gateway's process" },
  survived: {
    unit: "B",
    better: "less",
    about: "bytes that outlive a collection of young objects, for one request",
  },
  loop_p99: { unit: "ms", better: "less", about: "p99 of the delay of the gateway's event loop" },
  gc: { unit: "%", better: "less", about: "time in the gateway's garbage collector" },
  redis_commands: {
    unit: "",
    better: "less",
    about: "commands that Redis ran for one request, also inside scripts",
  },
  redis_usec: {
    unit: "us",
    better: "less",
    about: "time of Redis for one command that it received; a script counts as one",
  },
  redis_network: { unit: "B", better: "less", about: "bytes to and from Redis for one request" },
  redis_memory: { unit: "MiB", better: "less", about: "used_memory of Redis" },
  entries: { unit: "", better: "less", about: "entries in the store for one key" },
  bytes: { unit: "B", better: "less", about: "bytes in Redis for one key" },
} as const satisfies Readonly<Record<string, Metric>>;

export type BenchMetricName = keyof typeof METRICS;

export const METRIC_NAMES = Object.keys(METRICS) as readonly BenchMetricName[];
