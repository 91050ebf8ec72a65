// The contenders and conditions of a comparison: the algorithms that delay no request, and the traffic and fleets.
import { IMMEDIATE_ALGORITHMS } from "../../limiter/core/algorithms.ts";

export const TRAFFIC = [
  "uniform",
  "poisson",
  "bursty",
  "edges",
  "patient",
  "hammering",
  "keys",
] as const;

export type TrafficName = (typeof TRAFFIC)[number];

/** Models that the core's algorithms are compared with; they cannot be configured. */
export const MODELS = ["per_node", "periodic_sync 50ms", "periodic_sync 10ms"] as const;
export type ModelName = (typeof MODELS)[number];

export const CONTENDERS = [...IMMEDIATE_ALGORITHMS, ...MODELS] as const;
export type Contender = (typeof CONTENDERS)[number];

/** Gateways, how the balancer distributes requests to them, and how far each clock is ahead. */
export interface ParetoFleet {
  readonly gateways: number;
  readonly weights: readonly number[];
  readonly skewMs: readonly number[];
}

export const FLEETS: readonly ParetoFleet[] = [
  { gateways: 1, weights: [1], skewMs: [0] },
  { gateways: 3, weights: [3, 2, 1], skewMs: [0, 20, -20] },
  {
    gateways: 10,
    weights: [4, 3, 2, 2, 1, 1, 1, 1, 1, 1],
    skewMs: [0, 5, -5, 10, -10, 15, -15, 20, -20, 0],
  },
];

/** Everything that decides the metrics, except the seed and the code. */
export interface ParetoSuite {
  readonly rate: number;
  readonly perMs: number;
  readonly windows: number; // length of a run, in windows
  readonly runs: number; // runs of one cell, each with its own seed
  readonly keys: number; // number of keys, in traffic with several keys
  readonly store: string; // YAML, as in the world of a scenario
  readonly algorithms: readonly Contender[];
  readonly traffic: readonly TrafficName[];
  readonly fleets: readonly ParetoFleet[];
}

const FULL: ParetoSuite = {
  rate: 100,
  perMs: 1000,
  windows: 20,
  runs: 10,
  keys: 20,
  store:
    "{ latency: { lognormal: { median: 300us, p99: 2ms } }, cost: { command: 5us, entry: 1us } }",
  algorithms: CONTENDERS,
  traffic: TRAFFIC,
  fleets: FLEETS,
};

interface SuiteSelection {
  readonly isQuick: boolean;
  readonly traffic: readonly TrafficName[] | null; // null: all
  readonly gateways: readonly number[] | null;
}

export const suiteOf = ({ isQuick, traffic, gateways }: SuiteSelection): ParetoSuite => ({
  ...FULL,
  ...(isQuick ? { windows: 6, runs: 3 } : {}),
  traffic: TRAFFIC.filter((name) => traffic === null || traffic.includes(name)),
  fleets: FLEETS.filter((fleet) => gateways === null || gateways.includes(fleet.gateways)),
});

export interface ParetoCell {
  readonly algorithm: Contender;
  readonly traffic: TrafficName;
  readonly fleet: ParetoFleet;
}

/** The cells in the order of the result. Neighbours take about the same time, so shards take equal time. */
export const cellsOf = ({ fleets, traffic, algorithms }: ParetoSuite): readonly ParetoCell[] =>
  fleets.flatMap((fleet) =>
    traffic.flatMap((name) => algorithms.map((algorithm) => ({ algorithm, traffic: name, fleet }))),
  );

export const nameOf = ({ algorithm, traffic, fleet }: ParetoCell): string =>
  `${algorithm}, ${traffic}, ${fleet.gateways} ${fleet.gateways === 1 ? "gateway" : "gateways"}`;
