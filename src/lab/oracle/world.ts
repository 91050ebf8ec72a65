// What the oracle uses of a run: configuration and changes, requests and clients, and injected faults that removed
// state. It reads these from the scenario, never from what the gateway did.
import { micros, type Micros } from "../../kit/units.ts";
import { changesBy, type ChangingCall } from "../scenario/after-calls.ts";
import type { OracleConfiguration } from "./configured.ts";
import { configurationOf } from "./reader.ts";
import { resetsBy, type Reset } from "./reset-calls.ts";
import { COST_HEADER, type History } from "../scenario/history.ts";
import type { Fault, Flow, Variant } from "../scenario/types.ts";
import type { Environment } from "../scenario/world.ts";

export interface Epoch {
  readonly atUs: Micros; // when the configuration becomes effective
  readonly configuration: OracleConfiguration;
  /** The gateway that applies the change immediately; others follow within a second (MGT-C5). Null: no delays. */
  readonly gateway: number | null;
  readonly call: ChangingCall | null; // the call that made the change; null for the start and for an injected fault
}

export interface OracleWorld {
  readonly epochs: readonly Epoch[]; // in order of time; never empty
  readonly flows: ReadonlyMap<string, Flow>;
  readonly credentials: ReadonlyMap<string, readonly string[]>;
  readonly resets: readonly Reset[];
  readonly storeRestartsUs: readonly number[];
  readonly gatewayRestarts: readonly GatewayEnd[];
  /** Join times, by number, of the gateways that were not in the fleet from the start. */
  readonly joinsUs: ReadonlyMap<number, number>;
  /** How long a gateway is active after its last heartbeat. */
  readonly heartbeatUs: number;
  /** How long a store operation may stay in flight; 0 means that operations of two requests never overlap. */
  readonly storeFlightUs: number;
}

/** A gateway ends or restarts, and loses its counters. */
export interface GatewayEnd {
  readonly gateway: number;
  readonly atUs: number;
  readonly how: "crashed" | "left" | "restarted";
}

/** Why there is no oracle for this variant, as a sentence; null if there is one. */
export function whyNoOracle({ world, faults }: Variant): string | null {
  if (world.configuration === null) return "the configuration has errors, so no gateway runs";
  if (world.rules !== null)
    return `the limits are those of ${world.rules.file}, which the specification does not cover`;
  const raws = [world.raw, ...faults.flatMap((fault) => ("raw" in fault ? [fault.raw] : []))];
  return raws.some((raw) => configurationOf(raw).options.imitates)
    ? "the gateway imitates a limiter of others, which the specification does not cover"
    : null;
}

interface ReadWorld {
  readonly variant: Variant;
  readonly world: OracleWorld | null;
}

const worlds = new WeakMap<History, ReadWorld>();

/** The oracle's view of a run, null if there is no oracle (`whyNoOracle`). Cached, because several checks need it. */
export function worldOf(variant: Variant, history: History | null = null): OracleWorld | null {
  if (history === null) return read(variant, null);
  const known = worlds.get(history);
  if (known?.variant === variant) return known.world;
  const world = read(variant, history);
  worlds.set(history, { variant, world });
  return world;
}

function read(variant: Variant, history: History | null): OracleWorld | null {
  if (whyNoOracle(variant) !== null) return null;
  const { world, faults, traffic, calls } = variant;
  const timeOf = injectionTimes(history);
  const configurationFrom = costReader(variant);
  const changes = faults
    .filter((fault) => fault.kind === "configure")
    .toSorted((a, b) => a.atUs - b.atUs)
    .map(({ kind, atUs, raw }, index) => ({
      atUs: timeOf(kind, index) ?? atUs,
      configuration: configurationFrom(raw),
      gateway: null,
      call: null,
    }));
  const configuration = configurationFrom(world.raw);
  const called = changesBy(calls, history?.calls ?? [], world).map(({ raw, ...change }) => ({
    ...change,
    configuration: configurationFrom(raw),
  }));
  const epochs = [
    { atUs: micros(Number.NEGATIVE_INFINITY), configuration, gateway: null, call: null },
    ...changes,
    ...called,
  ];
  return {
    epochs,
    flows: new Map(traffic.map((flow) => [flow.name, flow])),
    credentials: new Map(
      [configuration, ...changes.map((change) => change.configuration)].flatMap(
        ({ credentials }) => [...credentials],
      ),
    ),
    resets: resetsBy(calls, history?.calls ?? []),
    storeRestartsUs: faults
      .filter((fault) => fault.kind === "store_restart")
      .map(({ atUs }) => atUs),
    gatewayRestarts: faults.flatMap(restartOf),
    storeFlightUs: flightUs(world.environment, faults),
    joinsUs: joinsOf(world.environment, faults),
    heartbeatUs: world.configuration?.options.drlExpiryUs ?? 0,
  };
}

/**
 * Returns a reader of configurations. A configuration that names no cost header gets the header of the first one or, if
 * flows have costs, `COST_HEADER`: every gateway reads this header in all flows.
 */
function costReader({
  world,
  traffic,
}: Variant): (raw: Variant["world"]["raw"]) => OracleConfiguration {
  const usesCost = traffic.some(({ cost }) => cost !== undefined);
  const header = configurationOf(world.raw).options.costHeader ?? (usesCost ? COST_HEADER : null);
  return (raw) => {
    const configuration = configurationOf(raw);
    const { options } = configuration;
    if (header === null || options.costHeader !== null) return configuration;
    return { ...configuration, options: { ...options, costHeader: header } };
  };
}

/** When each injected fault began: in real time a moment after its planned time. Undefined: at its planned time. */
function injectionTimes(
  history: History | null,
): (kind: Fault["kind"], index: number) => Micros | undefined {
  const spans = history === null || history.header.timing.kind === "exact" ? [] : history.spans;
  return (kind, index) =>
    spans
      .filter(({ what, text }) => what === "fault" && text === kind)
      .toSorted((a, b) => a.fromUs - b.fromUs)[index]?.toUs;
}

/** Join times by gateway number. Gateways that join get the numbers after those of the first gateways. */
function joinsOf({ nodes }: Environment, faults: readonly Fault[]): ReadonlyMap<number, number> {
  const joins = faults
    .filter((fault) => fault.kind === "gateway_join")
    .toSorted((a, b) => a.atUs - b.atUs)
    .flatMap(({ count, atUs }) => Array.from({ length: count }, () => atUs));
  return new Map(joins.map((atUs, index) => [nodes + index, atUs]));
}

const HOW_GATEWAYS_END = {
  gateway_crash: "crashed",
  gateway_leave: "left",
  gateway_restart: "restarted",
} as const;

const restartOf = (fault: Fault): GatewayEnd[] =>
  fault.kind === "gateway_restart" ||
  fault.kind === "gateway_crash" ||
  fault.kind === "gateway_leave"
    ? [{ gateway: fault.node, atUs: fault.atUs, how: HOW_GATEWAYS_END[fault.kind] }]
    : [];

/** The credential of a client of a flow: in Authorization, or else in X-API-Key (MGT-C10). */
export interface FlowCredential {
  readonly credential: string | null;
  readonly isAmbiguous: boolean; // two values in one header, of which a server may use either
}

const ofKey = ({ credentials }: OracleWorld, as: string | null): readonly string[] =>
  as === null ? [] : (credentials.get(as) ?? [as]);

/** The number of credentials that clients use in turn: client 0 the first, client 1 the second, and so on. */
export const countCredentials = (world: OracleWorld, as: string | null): number =>
  Math.max(1, ofKey(world, as).length);

export function credentialOf(
  world: OracleWorld,
  { as, headers }: Pick<Flow, "as" | "headers">,
  client: number,
): FlowCredential {
  const under = (header: string): readonly string[] =>
    Object.entries(headers).flatMap(([name, value]) =>
      name.toLowerCase() === header ? [value] : [],
    );
  const own = ofKey(world, as);
  const fromKey = own.length === 0 ? [] : [own[client % own.length]!];
  const [authorization, apiKey] = [[...fromKey, ...under("authorization")], under("x-api-key")];
  return {
    credential: authorization[0]?.replace(/^bearer +/i, "") ?? apiKey[0] ?? null,
    isAmbiguous: authorization.length > 1 || apiKey.length > 1,
  };
}

const MOST_OPERATIONS = 8; // store operations of one request in sequence, background write included

function flightUs(environment: Environment, faults: readonly Fault[]): number {
  const slow = faults
    .filter((fault) => fault.kind === "store_slow")
    .map((fault) => longestUs(fault.latencyUs));
  const oneWayUs = Math.max(longestUs(environment.storeUs), ...slow);
  const { perCommandUs, perEntryUs } = environment.storeCost;
  return MOST_OPERATIONS * (2 * oneWayUs + 10 * perCommandUs + 10_000 * perEntryUs);
}

/** A bound on the latency: less than one value in a thousand million is above it. */
function longestUs(distribution: Environment["storeUs"]): number {
  switch (distribution.kind) {
    case "constant":
      return distribution.us;
    case "uniform":
      return distribution.toUs;
    case "exponential":
      return 21 * distribution.meanUs;
    case "lognormal":
      return distribution.medianUs * (distribution.p99Us / distribution.medianUs) ** 2.6;
  }
}
