// Reads the traffic: a list of flows, each with one shape, and of calls to the management APIs.
import type { Path, Problem } from "../../../kit/reading/problems.ts";
import { MOST_COST } from "../../../limiter/core/cost.ts";
import type { Micros } from "../../../kit/units.ts";
import { behaviour } from "./behaviour.ts";
import { countArrivals } from "../plan/size.ts";
import { call, isCall } from "./calls.ts";
import { mapWithWord } from "../../../kit/reading/record.ts";
import {
  anything,
  isJsonMap,
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
} from "../../../kit/reading/shape.ts";
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
import { nameListOf, NO_TRAFFIC_READ, type TrafficNames } from "./name-lists.ts";
import { duration } from "../../../kit/reading/duration.ts";
import { mixedKeys, mixedNetworks, mixedSends, type Mixed } from "./mixed.ts";

const MOST_CLIENTS = 10_000_000;

const NO_KEY: Mixed<string | null> = { items: [null], weights: null };

export const FLOW_FIELDS = {
  name: optional(
    name,
    null,
    "Its name in expectations. Left out: the name of its client, or `mixed` if it has several clients.",
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
    "Headers on each request. If `as` names a key, an `Authorization` here is sent in addition.",
  ),
  at: optional(duration, 0 as Micros, "When it starts."),
  clients: optional(
    wholeNumber(1, MOST_CLIENTS),
    1,
    "How many independent clients share it. They use the key's credentials in turn, and each has one of the mixed keys and one of the mixed addresses.",
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
    "Whether each client waits until a request is admitted, or given up, before it sends the next one. A client with the same key and number is the same client in all such flows.",
  ),
} as const satisfies Fields;

/** Examples of flows that mix keys or paths, for the documentation. */
export const MIX_EXAMPLES = [
  "{ name: office, as: [alice, carol], send: [GET /orders, GET /orders/1], from: 192.0.2.7, burst: 8 }",
  '{ name: crowd, as: { alice: 9, carol: 1 }, send: GET /orders, from: { "198.51.100.0/24": 3, "2001:db8::/48": 1 }, rate: 5, for: 10s }',
];

const flow = mapWithWord("a flow", FLOW_FIELDS, TRAFFIC_SHAPES);
export const trafficShape: Shape<readonly Json[]> = {
  ...listOf(anything),
  schema: { type: "array", items: { anyOf: [flow.schema, call.schema] } },
};

export interface Traffic {
  readonly flows: readonly Flow[];
  readonly calls: readonly ManagementCall[]; // sorted by time
  readonly names: TrafficNames; // includes names of items with errors
  readonly isComplete: boolean; // false if at least one item could not be read
}

const UNREAD_TRAFFIC: Traffic = { flows: [], calls: [], names: NO_TRAFFIC_READ, isComplete: false };

export function readTraffic(
  value: Json,
  at: Path,
  traceIn: (file: string) => TraceTimes,
  problems: Problem[],
): Traffic {
  const items = trafficShape.read(value, at, problems);
  if (items === undefined) return UNREAD_TRAFFIC;
  const read = items.map((item, index) =>
    isCall(item)
      ? callOf(item, [...at, index], problems)
      : flowOf(item, index, at, traceIn, problems),
  );
  read.forEach(({ name: own, isCall: isLaterCall }, index) => {
    const earlier = own && read.slice(0, index).find((other) => other.name === own);
    if (earlier)
      scn(
        problems,
        "SCN-DUPLICATE-NAME",
        [...at, index],
        `two ${isLaterCall || earlier.isCall ? "parts of the traffic" : "flows"} are called "${own}"`,
        "give each a name of its own",
      );
  });
  const mixtures = read.filter((each) => !each.isCall);
  const flows = mixtures.flatMap(({ parts = [] }) => parts);
  const planned = mixtures.reduce(
    (sum, { parts: [first] = [] }) => sum + (first === undefined ? 0 : countArrivals(first)),
    0,
  );
  const calls = read.filter((each) => each.isCall);
  const sent = calls.flatMap(({ sent: each }) => each ?? []);
  return {
    flows,
    calls: sent.toSorted((a, b) => a.atUs - b.atUs),
    names: namesOf(mixtures, calls),
    isComplete:
      checkSize(planned, flows.length, at, problems) &&
      mixtures.every(({ parts }) => parts !== undefined) &&
      sent.length === calls.length,
  };
}

function checkSize(planned: number, flows: number, at: Path, problems: Problem[]): boolean {
  if (planned > MOST_ARRIVALS)
    scn(
      problems,
      "SCN-TRAFFIC",
      at,
      `the traffic has about ${Math.round(planned)} requests, and ${MOST_ARRIVALS} are the most`,
    );
  else if (flows > MOST_FLOWS)
    scn(
      problems,
      "SCN-TRAFFIC",
      at,
      `the traffic has ${flows} combinations of flow, key and path, and ${MOST_FLOWS} are the most`,
    );
  return planned <= MOST_ARRIVALS && flows <= MOST_FLOWS;
}

/** A flow as written. Fields that could not be read are undefined. */
interface Mixture {
  readonly isCall: false;
  readonly name: string | undefined;
  readonly item: number;
  readonly keys: readonly (string | null)[] | undefined;
  readonly endpoints: readonly string[] | undefined;
  readonly stages: readonly string[] | undefined;
  readonly parts: readonly Flow[] | undefined; // one for each combination of the keys and paths that it mixes
}

interface ReadCall {
  readonly isCall: true;
  readonly name: string | undefined;
  readonly sent: ManagementCall | undefined;
}

function callOf(item: Json, at: Path, problems: Problem[]): ReadCall {
  const sent = call.read(item, at, problems);
  const written = isJsonMap(item) && typeof item["name"] === "string" ? item["name"] : undefined;
  return { isCall: true, name: sent?.name ?? written, sent };
}

const namesOf = (mixtures: readonly Mixture[], calls: readonly ReadCall[]): TrafficNames => ({
  flows: nameListOf(mixtures.map(({ name: own }) => (own === undefined ? own : [own]))),
  clients: nameListOf(mixtures.map(({ keys }) => keys?.filter((key) => key !== null))),
  endpoints: nameListOf(mixtures.map(({ endpoints }) => endpoints)),
  stages: nameListOf(mixtures.map(({ stages }) => stages)),
  calls: nameListOf(calls.map(({ name: own }) => (own === undefined ? own : [own]))),
  senders: mixtures.flatMap(({ keys = [], item }) =>
    keys.flatMap((key) => (key === null ? [] : [{ key, item }])),
  ),
});

/** The most combinations of keys and paths in one flow: people could not read more. */
const MOST_PARTS = 1_000;
/** The largest flow number that a history can store. */
const MOST_FLOWS = 65_535;

function flowOf(
  item: Json,
  index: number,
  traffic: Path,
  traceIn: (file: string) => TraceTimes,
  problems: Problem[],
): Mixture {
  const at = [...traffic, index];
  const { common, chosen, isComplete } = flow.readParts(item, at, problems);
  const shape = chosen && shapeOf(chosen, at, traceIn, problems);
  const name = common.name ?? (common.name === null ? usualName(common.as) : undefined);
  const mixture = {
    isCall: false as const,
    name,
    item: index,
    keys: common.as?.items,
    endpoints: common.send?.items.map(({ method, path }) => `${method} ${path}`),
    stages: chosen && (chosen.kind === "stages" ? chosen.stages.map((each) => each.name) : []),
  };
  const parts =
    isComplete && shape !== undefined && name !== undefined
      ? flowsOf({ ...(common as Values<typeof FLOW_FIELDS>), name }, shape, at, index, problems)
      : undefined;
  return { ...mixture, parts };
}

function usualName(as: Mixed<string | null> | undefined): string | undefined {
  if (as === undefined) return undefined;
  const [first = null] = as.items;
  return as.items.length > 1 ? "mixed" : (first ?? "anonymous");
}

type ReadFlow = Values<typeof FLOW_FIELDS> & { readonly name: string };

function flowsOf(
  read: ReadFlow,
  shape: TrafficShape,
  at: Path,
  index: number,
  problems: Problem[],
): readonly Flow[] | undefined {
  const { name, as, send, from, at: atUs, headers, clients, skew, cost, behaviour: does } = read;
  const waits = read.sequential ? { isSequential: true as const } : {};
  const count = as.items.length * send.items.length;
  if (count > MOST_PARTS)
    return scn(
      problems,
      "SCN-VALUE",
      at,
      `${as.items.length} keys and ${send.items.length} paths are ${count} combinations, and ${MOST_PARTS} are the most`,
      "mix fewer in one flow, or write several flows",
    );
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
  return combinations.map((each, part): Flow => ({
    name,
    ...each,
    ...shared,
    ...(count > 1 && { mix: { ...counted, part } }),
  }));
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
