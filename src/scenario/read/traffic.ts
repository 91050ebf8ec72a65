// Who sends what and when: a list of flows, each with one shape, and of calls to the management.
import type { Path, Problem } from "../../reading/problems.ts";
import { MOST_COST } from "../../core/cost.ts";
import { SECOND, type Micros } from "../../core/units.ts";
import { behaviour } from "./behaviour.ts";
import { countArrivals } from "../plan/size.ts";
import { call, isCall } from "./calls.ts";
import { mapWithWord, type WordChoice } from "../../reading/record.ts";
import {
  anything,
  listOf,
  mapOf,
  numberFrom,
  optional,
  mandatory,
  text,
  wholeNumber,
  yesOrNo,
  type Fields,
  type Shape,
  type Values,
  type Json,
} from "../../reading/shape.ts";
import { scn } from "./codes.ts";
import type { TraceTimes } from "./trace.ts";
import { MOST_ARRIVALS, name, TRAFFIC_SHAPES, type WrittenShape } from "./traffic-shapes.ts";
import type {
  Behaviour,
  ManagementCall,
  Flow,
  Mixture as FlowMixture,
  TrafficShape,
} from "../types.ts";
import type { World } from "../world.ts";
import { duration } from "../../reading/duration.ts";
import { mixedKeys, mixedNetworks, mixedSends, type Mixed } from "./mixed.ts";

const MOST_CLIENTS = 10_000_000;

const NO_KEY: Mixed<string | null> = { items: [null], weights: null };

export const FLOW_FIELDS = {
  name: optional(
    name,
    null,
    "Its name in expectations. Left out: the name of its client, and `mixed` where it has several.",
  ),
  as: optional(
    mixedKeys,
    NO_KEY,
    "Which key of the world it uses, or several: `[alice, bob]` in turn, `{ alice: 3, bob: 1 }` drawn by weight. Left out: none.",
  ),
  send: mandatory(
    mixedSends,
    "Method and path, the listen path included; or several, as a list or with weights.",
  ),
  from: optional(
    mixedNetworks,
    null,
    "The client's address, or a network whose addresses are used in turn; or several, as a list or with weights. Left out: 127.0.0.1.",
  ),
  headers: optional(
    mapOf(text),
    {},
    "Headers on each request. `Authorization` here is a second one where `as` shows a key.",
  ),
  at: optional(duration, 0 as Micros, "When it starts."),
  clients: optional(
    wholeNumber(1, MOST_CLIENTS),
    1,
    "How many independent clients share it. They use the key's credentials in turn, and each has one key and one address of those that are mixed.",
  ),
  skew: optional(
    numberFrom(0, 10),
    0,
    "How unevenly requests fall on the clients: the exponent of a Zipf distribution. 0: in turn.",
  ),
  cost: optional(
    wholeNumber(1, MOST_COST),
    null,
    "How many units each of its requests spends of every limit and quota (LIM-C19), 1 to 1000. Left out: 1. The driver sends it in the header that the gateway option `cost_header` names, and sets the option where it is unset.",
  ),
  behaviour: optional(
    behaviour,
    { kind: "ignore" } as Behaviour,
    "What a client does about a 429.",
  ),
  sequential: optional(
    yesOrNo,
    false,
    "Whether each client waits until a request is admitted, or given up, before it sends the next one. Clients of one key and number are the same in all such flows.",
  ),
} as const satisfies Fields;

/** Flows that mix, for the documentation. */
export const MIX_EXAMPLES = [
  "{ name: office, as: [alice, carol], send: [GET /orders, GET /orders/1], from: 192.0.2.7, burst: 8 }",
  '{ name: crowd, as: { alice: 9, carol: 1 }, send: GET /orders, from: { "198.51.100.0/24": 3, "2001:db8::/48": 1 }, rate: 5, for: 10s }',
];

const flow: Shape<WordChoice<Values<typeof FLOW_FIELDS>, WrittenShape>> = mapWithWord(
  "a flow",
  FLOW_FIELDS,
  TRAFFIC_SHAPES,
);
export const trafficShape: Shape<readonly Json[]> = {
  ...listOf(anything),
  schema: { type: "array", items: { anyOf: [flow.schema, call.schema] } },
};

export interface Traffic {
  readonly flows: readonly Flow[];
  readonly calls: readonly ManagementCall[]; // in order of time
}

export function readTraffic(
  value: Json,
  at: Path,
  traceIn: (file: string) => TraceTimes,
  problems: Problem[],
): Traffic | undefined {
  const items = trafficShape.read(value, at, problems);
  if (items === undefined) return undefined;
  const read = items.map((item, index): Mixture | ManagementCall | undefined =>
    isCall(item)
      ? call.read(item, [...at, index], problems)
      : flowOf(item, index, at, traceIn, problems),
  );
  if (!read.every((each) => each !== undefined)) return undefined;
  read.forEach((each, index) => {
    const earlier = read.slice(0, index).find((other) => other.name === each.name);
    if (earlier !== undefined)
      scn(
        problems,
        "SCN-DUPLICATE-NAME",
        [...at, index],
        `two ${"on" in each || "on" in earlier ? "parts of the traffic" : "flows"} are called "${each.name}"`,
        "give each a name of its own",
      );
  });
  const mixtures = read.filter((each): each is Mixture => !("on" in each));
  const flows = mixtures.flatMap(({ parts }) => parts);
  const planned = mixtures.reduce((sum, { parts: [first] }) => sum + countArrivals(first!), 0);
  if (planned > MOST_ARRIVALS)
    return scn(
      problems,
      "SCN-TRAFFIC",
      at,
      `the traffic has about ${Math.round(planned)} requests, and ${MOST_ARRIVALS} are the most`,
    );
  if (flows.length > MOST_FLOWS)
    return scn(
      problems,
      "SCN-TRAFFIC",
      at,
      `the traffic has ${flows.length} combinations of flow, key and path, and ${MOST_FLOWS} are the most`,
    );
  const calls = read.filter((each): each is ManagementCall => "on" in each);
  return { flows, calls: calls.toSorted((a, b) => a.atUs - b.atUs) };
}

/** A flow as it is written: one for each combination of the keys and paths that it mixes. */
interface Mixture {
  readonly name: string;
  readonly parts: readonly Flow[];
}

/** So that a mixture may still be read. */
const MOST_PARTS = 1_000;
/** The largest number of a flow in a history. */
const MOST_FLOWS = 65_535;

function flowOf(
  item: Json,
  index: number,
  traffic: Path,
  traceIn: (file: string) => TraceTimes,
  problems: Problem[],
): Mixture | undefined {
  const at = [...traffic, index];
  const read = flow.read(item, at, problems);
  const shape = read && shapeOf(read.chosen, at, traceIn, problems);
  if (read === undefined || shape === undefined) return undefined;
  const { as, send, from, at: atUs, headers, clients, skew, cost, behaviour: does } = read.common;
  const waits = read.common.sequential ? { isSequential: true as const } : {};
  const count = as.items.length * send.items.length;
  if (count > MOST_PARTS)
    return scn(
      problems,
      "SCN-VALUE",
      at,
      `${as.items.length} keys and ${send.items.length} paths are ${count} combinations, and ${MOST_PARTS} are the most`,
      "mix fewer in one flow, or write several flows",
    );
  const [first = null] = as.items;
  const name = read.common.name ?? (as.items.length > 1 ? "mixed" : (first ?? "anonymous"));
  const senders = from === null ? {} : { from: { networks: from.items, weights: from.weights } };
  const costs = cost === null ? {} : { cost };
  const shared = {
    atUs,
    headers,
    clients,
    skew,
    behaviour: does,
    shape,
    item: index,
    ...senders,
    ...costs,
    ...waits,
  };
  const combinations = as.items.flatMap((key) => send.items.map((sent) => ({ as: key, ...sent })));
  const counted = { as: choiceOf(as), send: choiceOf(send) };
  return {
    name,
    parts: combinations.map((each, part): Flow => ({
      name,
      ...each,
      ...shared,
      ...(count > 1 && { mix: { ...counted, part } }),
    })),
  };
}

const choiceOf = ({ items, weights }: Mixed<unknown>): FlowMixture["as"] => ({
  count: items.length,
  weights,
});

function shapeOf(
  shape: WrittenShape,
  at: Path,
  traceIn: (file: string) => TraceTimes,
  problems: Problem[],
): TrafficShape | undefined {
  if (shape.kind !== "trace_file") return shape;
  const times = traceIn(shape.file);
  return "timesUs" in times
    ? { kind: "trace", timesUs: times.timesUs }
    : scn(problems, "SCN-VALUE", [...at, "trace", "file"], times.message, times.fix);
}

/** Requests under way when the last one leaves are answered by then, unless a throttle holds one back. */
const LONGEST_WAY_US = 60 * SECOND;

/** An injected fault that begins later meets no request. Infinity if that cannot be known. */
export function lastMetUs(flows: readonly Flow[], { configuration, environment }: World): number {
  const isThrottled =
    configuration === null ||
    [...configuration.keys.values(), ...configuration.policies.values()].some(
      ({ throttle }) => throttle !== null,
    );
  if (isThrottled || flows.some(({ behaviour: { kind } }) => kind !== "ignore"))
    return Number.POSITIVE_INFINITY;
  const { networkUs, storeUs, upstreamUs, storeCost } = environment;
  const takesTime =
    storeCost.perCommandUs + storeCost.perEntryUs > 0 ||
    [networkUs, storeUs, upstreamUs].some((way) => way.kind !== "constant" || way.us > 0);
  return (
    flows.reduce((last, { atUs, shape }) => Math.max(last, atUs + lastOf(shape)), 0) +
    (takesTime ? LONGEST_WAY_US : 0)
  );
}

/** A request may come at the last instant of a shape; the instant at which it ends is no part of it. */
function lastOf(shape: TrafficShape): number {
  switch (shape.kind) {
    case "burst":
      return 0;
    case "every":
      return (shape.count - 1) * shape.intervalUs;
    case "rate":
    case "poisson":
    case "population":
    case "on_off":
      return shape.forUs - 1;
    case "cron":
      return shape.forUs + shape.jitterUs - 1;
    case "stages":
      return shape.stages.reduce((sum, { forUs }) => sum + forUs, 0) - 1;
    case "trace":
      return shape.timesUs.at(-1) ?? 0;
  }
}
