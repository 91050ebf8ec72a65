// Reads the environment of the gateways: their number, the balancer, and the latencies.
import { many } from "../../../kit/reading/legible.ts";
import { NO_TIME } from "../../../kit/chance/distribution.ts";
import type { Path, Problem } from "../../../kit/reading/problems.ts";
import { MANAGEMENT_EXAMPLE, managementField } from "./management.ts";
import { record } from "../../../kit/reading/record.ts";
import {
  listOf,
  mapOf,
  numberFrom,
  oneOf,
  optional,
  text,
  wholeNumber,
  type Fields,
  type Values,
} from "../../../kit/reading/shape.ts";
import { scn } from "./codes.ts";
import type { Balancer, Environment } from "../world.ts";
import { cost, distribution } from "./values.ts";
import { signedDuration } from "../../../kit/reading/duration.ts";

const MOST_GATEWAYS = 100;

/** The balancer's name in a file, and its kind in the program. */
const BALANCERS = {
  "round-robin": "round_robin",
  random: "random",
  "least-connections": "least_connections",
  sticky: "sticky",
  weighted: "weighted",
} as const;
const BALANCER_NAMES = Object.keys(BALANCERS) as readonly (keyof typeof BALANCERS)[];

const fleet = record("a fleet", {
  nodes: optional(wholeNumber(1, MOST_GATEWAYS), 1, "How many gateways there are at the start."),
  balancer: optional(
    oneOf(BALANCER_NAMES),
    "round-robin",
    "Which gateway gets the next request. `sticky` goes by the key, `weighted` by `weights`.",
  ),
  weights: optional(listOf(numberFrom(0), 1), null, "For `weighted`: the share of each gateway."),
  skew: optional(
    listOf(signedDuration),
    [],
    "How far the clock of each gateway is ahead of the true time (`-5ms`: behind). Clocks that are not listed are right.",
  ),
});

const network = record("the network", {
  latency: optional(distribution, NO_TIME, "From client to gateway, one way."),
});

const store = record("the store", {
  latency: optional(distribution, NO_TIME, "From gateway to store, one way."),
  cost: optional(
    record("the store's cost", {
      command: optional(cost, 0, "Time for each command."),
      entry: optional(cost, 0, "Time for each entry a command touches."),
    }),
    { command: 0, entry: 0 },
    "The time that the store itself needs.",
  ),
});

const upstream = record("the upstream", {
  time: optional(distribution, NO_TIME, "How long the upstream needs for a response."),
  headers: optional(mapOf(text), {}, "Headers of each of its responses."),
});

export const ENVIRONMENT_EXAMPLE = `fleet: { nodes: 3, balancer: weighted, weights: [3, 1, 1], skew: [0s, 20ms, -20ms] }
network: { latency: { uniform: [1ms, 5ms] } }
store: { latency: { lognormal: { median: 400us, p99: 3ms } }, cost: { command: 1us, entry: 200ns } }
upstream: { time: { exponential: 12ms }, headers: { Server: stock } }
${MANAGEMENT_EXAMPLE}`;

export const ENVIRONMENT_FIELDS = {
  fleet: optional(fleet, null, "The gateways, and the balancer that spreads requests over them."),
  network: optional(network, null, "The latency between clients and gateways."),
  store: optional(store, null, "The latency between gateways and store, and the store's cost."),
  upstream: optional(upstream, null, "The API server that the gateways forward to."),
  management: managementField,
} as const satisfies Fields;

/** The replacement for an environment with errors, so that reading can continue. It has the most gateways allowed. */
export const UNREAD_ENVIRONMENT: Environment = {
  nodes: MOST_GATEWAYS,
  balancer: { kind: "round_robin" },
  networkUs: NO_TIME,
  storeUs: NO_TIME,
  storeCost: { perCommandUs: 0, perEntryUs: 0 },
  upstreamUs: NO_TIME,
  upstreamHeaders: [],
  skewUs: [],
};

type Read = Values<typeof ENVIRONMENT_FIELDS>;

/** Builds the environment. Unset latencies are 0, so that requests take no time and never overlap. */
export function environmentOf(read: Read, at: Path, problems: Problem[]): Environment | undefined {
  const nodes = read.fleet?.nodes ?? 1;
  const balancer = balancerOf(read.fleet, nodes, at, problems);
  const skewUs = read.fleet?.skew ?? [];
  if (skewUs.length > nodes)
    return scn(
      problems,
      "SCN-VALUE",
      [...at, "fleet", "skew"],
      `${skewUs.length} clocks are skewed, and there ${nodes === 1 ? "is 1 gateway" : `are ${nodes} gateways`}`,
    );
  if (balancer === undefined) return undefined;
  return {
    nodes,
    balancer,
    networkUs: read.network?.latency ?? NO_TIME,
    storeUs: read.store?.latency ?? NO_TIME,
    storeCost: {
      perCommandUs: read.store?.cost.command ?? 0,
      perEntryUs: read.store?.cost.entry ?? 0,
    },
    upstreamUs: read.upstream?.time ?? NO_TIME,
    upstreamHeaders: Object.entries(read.upstream?.headers ?? {}),
    skewUs,
  };
}

function balancerOf(
  read: Read["fleet"],
  nodes: number,
  at: Path,
  problems: Problem[],
): Balancer | undefined {
  if (read === null) return { kind: "round_robin" };
  const path = [...at, "fleet", "weights"];
  const kind = BALANCERS[read.balancer];
  if (kind !== "weighted")
    return read.weights === null
      ? { kind }
      : scn(
          problems,
          "SCN-UNKNOWN-FIELD",
          path,
          `"weights" does not go with the balancer ${read.balancer}`,
          "write balancer: weighted",
        );
  if (read.weights === null)
    return scn(
      problems,
      "SCN-MISSING-FIELD",
      [...at, "fleet"],
      'the balancer weighted needs "weights"',
      "write one number for each gateway",
    );
  if (read.weights.length !== nodes || !read.weights.some((weight) => weight > 0))
    return scn(
      problems,
      "SCN-VALUE",
      path,
      `${many(read.weights.length, "weight")} for ${many(nodes, "gateway")}`,
      "write one number for each gateway, one of them above 0",
    );
  return { kind, weights: read.weights };
}
