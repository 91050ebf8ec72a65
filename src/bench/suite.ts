// A suite of benchmarks as its file says it: one base cell, what is varied from it, and what stands beside it.
import type { Algorithm } from "../core/algorithms.ts";
import type { Micros } from "../core/units.ts";
import type { Better } from "../stats/summary.ts";

export type StoreKind = "memory" | "redis";

/** Closed loop: after each response. Open loop: at planned times. */
export type LoadModel = "closed" | "constant" | "poisson";

/** Who asks: one key, many in turn, or many of whom few ask nearly always. */
export type Keys = "one" | "many" | "zipf";

/** Everything that decides what a cell costs. */
export interface Factors {
  readonly algorithm: Algorithm;
  readonly store: StoreKind;
  /** The load as a multiple of the limit: 0.5 is never refused, of 10 nine tenths are. */
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

/**
 * What a figure is worth nothing without: the upstream by itself, Weir without a limit, and whatever else people
 * put in front of an API.
 */
export const CONTROLS = [
  "upstream",
  "unlimited",
  "bare-proxy",
  "fastify",
  "express",
  "nginx",
] as const;
export type Control = (typeof CONTROLS)[number];

/** A metric of one cell that can fail a comparison. */
export interface Gate<M extends string = string> {
  readonly cell: string;
  readonly metric: M;
}

/** At most a value (at least, where more is better), or a number of times as good as the best of some cells. */
export type BenchTarget =
  | { readonly cell: string; readonly value: number }
  | { readonly cell: string; readonly against: readonly string[]; readonly times: number };

export interface Suite {
  readonly id: string;
  readonly title: string;
  readonly about: string;
  readonly base: Factors;
  readonly vary: Vary;
  readonly controls: readonly Control[];
  readonly keyCount: number; // of many and zipf
  readonly perUs: Micros; // window of every limit: short beside a repeat, so that each sees many
  readonly lastsUs: Micros; // one repeat
  readonly warmUpUs: Micros;
  readonly repeats: number;
  readonly gates: readonly Gate<MetricName>[]; // at most MOST_GATES
}

export const MOST_GATES = 4;

export interface Metric {
  readonly unit: string;
  readonly better: Better;
  readonly about: string;
}

/** All that a repeat can measure. A cell that has no such thing leaves it out. */
export const METRICS = {
  cpu: { unit: "us", better: "less", about: "processor time of the gateway for one request" },
  throughput: { unit: "1/s", better: "more", about: "answers a second" },
  p50: { unit: "ms", better: "less", about: "half of the answers came within" },
  p99: { unit: "ms", better: "less", about: "all but one answer in a hundred came within" },
  p99_admitted: { unit: "ms", better: "less", about: "p99 of what was admitted" },
  p99_refused: { unit: "ms", better: "less", about: "p99 of what was refused" },
  refused: { unit: "%", better: "less", about: "answers with status 429" },
  dropped: { unit: "%", better: "less", about: "planned arrivals that were never sent" },
  late: { unit: "ms", better: "less", about: "p99 of how much later than planned the sender sent" },
  cpu_store: { unit: "us", better: "less", about: "processor time of the store for one request" },
  cpu_load: { unit: "us", better: "less", about: "processor time of the sender for one request" },
  rss: { unit: "MiB", better: "less", about: "memory of the gateway's process, at most" },
  loop_p99: { unit: "ms", better: "less", about: "p99 of the delay of the gateway's event loop" },
  gc: { unit: "%", better: "less", about: "time in the gateway's garbage collector" },
  redis_commands: {
    unit: "",
    better: "less",
    about: "commands that Redis did for one request, those inside of scripts too",
  },
  redis_usec: {
    unit: "us",
    better: "less",
    about: "time of Redis for one command that was sent to it, a script being one",
  },
  redis_network: { unit: "B", better: "less", about: "bytes to and from Redis for one request" },
  redis_memory: { unit: "MiB", better: "less", about: "used_memory of Redis" },
  entries: { unit: "", better: "less", about: "entries that the store holds for one key" },
  bytes: { unit: "B", better: "less", about: "bytes that Redis holds for one key" },
} as const satisfies Readonly<Record<string, Metric>>;

export type MetricName = keyof typeof METRICS;

export const METRIC_NAMES = Object.keys(METRICS) as readonly MetricName[];
