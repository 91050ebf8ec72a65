// The upstreams of a configuration, each with open connections.
import type { ApiDefinition, Configuration, WeightedTarget } from "../../limiter/core/config.ts";
import { requireValue } from "../../kit/reading/failure.ts";
import { targetOf } from "../../limiter/world/target.ts";
import { toMilliseconds, type Micros } from "../../kit/units.ts";
import {
  choose,
  createCircuit,
  recordFailure,
  isUp,
  recordSuccess,
  type Circuit,
} from "./circuit.ts";
import { ConnectionPool, type UpstreamPool } from "../upstream/pool.node.ts";
import { checkHealth } from "./health-checks.node.ts";
import type { Observer } from "./observer.ts";
import { undiciPool } from "./undici-pool.node.ts";
import type { Wire } from "./wire.ts";

export interface Upstream {
  readonly origin: string;
  readonly pool: UpstreamPool;
  readonly circuit: Circuit | null; // null: failures are ignored, so the upstream always gets requests
}

export interface Destination {
  readonly upstream: Upstream;
  readonly path: string; // prefix for the path of a request
  readonly weight: number;
  current: number;
}

export interface Upstreams {
  /**
   * The destination of a request. Send the request at once, because a reload may close the destination. Null: the echo
   * responds. NONE_UP: no upstream of the API gets requests now. The upstream that was `tried` is chosen only if there
   * is no other.
   */
  readonly of: (api: ApiDefinition, tried?: Upstream | null) => Destination | null | NoneUp;
  readonly onResponse: (circuit: Circuit, turn: number) => void;
  readonly onFailure: (circuit: Circuit, turn: number) => void;
  readonly circuits: () => readonly Circuit[];
  /** Applies a configuration. An upstream that no API uses any more is closed after its last response. */
  readonly configure: (configuration: Configuration) => void;
  readonly destroy: () => void;
}

export const NONE_UP = "none up";
type NoneUp = typeof NONE_UP;

interface UpstreamsOptions {
  readonly otherwise: URL | null; // the upstream of APIs without a target
  readonly isEcho: boolean; // an echo responds, and no request leaves this process
  readonly wire: Wire;
  readonly observer: Observer;
  readonly clock: () => Micros;
}

export function upstreams(options: UpstreamsOptions, configuration: Configuration): Upstreams {
  const { otherwise, isEcho, wire, observer, clock } = options;
  const common = otherwise === null ? null : requireValue(targetOf(otherwise.href));
  const { circuitFailures, circuitOpenUs, healthPath } = wire;
  const circuitOptions = { failures: circuitFailures, openUs: circuitOpenUs };
  const isWatched = circuitFailures !== null || healthPath !== null;
  const byOrigin = new Map<string, Upstream>();
  const destinations = new Map<ApiDefinition, readonly Destination[]>();
  let current = configuration;

  const leadsTo = (api: ApiDefinition): readonly WeightedTarget[] => {
    if (isEcho) return [];
    const target = api.target ?? common;
    return api.targets ?? (target === null ? [] : [{ target, weight: 1 }]);
  };
  const upstreamAt = (origin: string): Upstream => {
    const existing = byOrigin.get(origin);
    if (existing !== undefined) return existing;
    const circuit = isWatched ? createCircuit(origin) : null;
    const upstream = { origin, pool: poolTo(origin, wire), circuit };
    byOrigin.set(origin, upstream);
    return upstream;
  };
  const choicesOf = (api: ApiDefinition): readonly Destination[] => {
    if (current.apis.get(api.id) !== api) return earlierChoicesOf(api);
    const choices = leadsTo(api).map((to) => destinationTo(to, upstreamAt(to.target.origin)));
    destinations.set(api, choices);
    return choices;
  };
  /** The destinations of a request that was decided before a reload, as far as they are still used. */
  const earlierChoicesOf = (api: ApiDefinition): readonly Destination[] =>
    leadsTo(api).flatMap((to) => {
      const upstream = byOrigin.get(to.target.origin);
      return upstream === undefined ? [] : [destinationTo(to, upstream)];
    });
  /** A destination for one request, not in the map: an upstream that a reload has removed must not be added again. */
  const destinationOnce = ([to]: readonly WeightedTarget[]): Destination | null => {
    if (to === undefined) return null;
    const { origin } = to.target;
    const pool = poolTo(origin, wire);
    queueMicrotask(() => void pool.close()); // closes the pool after its one request, which has been sent by then
    return destinationTo(to, { origin, pool, circuit: null });
  };
  const reportChange = (circuit: Circuit): void => {
    const { origin } = circuit;
    if (byOrigin.get(origin)?.circuit === circuit)
      observer.onUpstreamChange?.(origin, isUp(circuit), clock());
  };
  const circuits = (): readonly Circuit[] =>
    [...byOrigin.values()].flatMap(({ circuit }) => circuit ?? []);
  // A watched upstream is reported from the start; its connections are opened by the first request.
  const open = ({ apis }: Configuration): void => {
    if (!isWatched) return;
    for (const api of apis.values())
      for (const { target } of leadsTo(api)) upstreamAt(target.origin);
  };
  open(configuration);
  const leave =
    healthPath === null
      ? null
      : checkHealth({
          path: healthPath,
          intervalMs: toMilliseconds(wire.healthIntervalUs),
          timeoutMs: toMilliseconds(wire.healthTimeoutUs),
          circuits,
          onChange: reportChange,
        });
  return {
    of: (api, tried = null) => {
      const choices = destinations.get(api) ?? choicesOf(api);
      const [only] = choices;
      if (only === undefined) return tried === null ? destinationOnce(leadsTo(api)) : NONE_UP;
      if (choices.length === 1 && only.upstream.circuit === null) return only;
      return choose(choices, clock(), tried) ?? NONE_UP;
    },
    onResponse: (circuit, turn) => {
      const wasUp = isUp(circuit);
      recordSuccess(circuit, turn);
      if (isUp(circuit) !== wasUp) reportChange(circuit);
    },
    onFailure: (circuit, turn) => {
      const wasUp = isUp(circuit);
      recordFailure(circuit, turn, clock(), circuitOptions);
      if (isUp(circuit) !== wasUp) reportChange(circuit);
    },
    circuits,
    configure: (next) => {
      current = next;
      const before = [...destinations];
      destinations.clear();
      const stay = new Set(
        [...next.apis.values()].flatMap((api) => leadsTo(api).map(({ target }) => target.origin)),
      );
      for (const [origin, { pool }] of byOrigin) {
        if (stay.has(origin)) continue;
        byOrigin.delete(origin);
        void pool.close();
      }
      // Unchanged destinations keep the state of their weighting: records change often, and each change would reset it.
      for (const [{ id }, choices] of before) {
        const api = next.apis.get(id);
        if (api !== undefined && isSame(choices, leadsTo(api))) destinations.set(api, choices);
      }
      open(next);
    },
    destroy: () => {
      leave?.();
      for (const { pool } of byOrigin.values()) void pool.destroy();
    },
  };
}

const destinationTo = (
  { target: { path }, weight }: WeightedTarget,
  upstream: Upstream,
): Destination => ({ upstream, path, weight, current: 0 });

const isSame = (choices: readonly Destination[], targets: readonly WeightedTarget[]): boolean =>
  choices.length === targets.length &&
  choices.every(({ upstream: { origin }, path, weight }, index) => {
    const { target, weight: next } = targets[index]!;
    return origin === target.origin && path === target.path && weight === next;
  });

function poolTo(origin: string, wire: Wire): UpstreamPool {
  const options = {
    connections: wire.upstreamConnections,
    connectTimeout: toMilliseconds(wire.connectTimeoutUs),
    headersTimeout: toMilliseconds(wire.responseTimeoutUs),
    bodyTimeout: toMilliseconds(wire.responseIdleTimeoutUs),
  };
  return wire.upstreamClient === "weir"
    ? new ConnectionPool(origin, options)
    : undiciPool(origin, options);
}
