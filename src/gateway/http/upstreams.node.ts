// The upstreams of a configuration, each with connections that are kept open.
import { Pool } from "undici";
import type { ApiDefinition, Configuration, WeightedTarget } from "../../core/config.ts";
import { targetOf } from "../../world/target.ts";
import { toMilliseconds, type Micros } from "../../core/units.ts";
import { choose, closedCircuit, fail, isUp, succeed, type Circuit } from "./circuit.ts";
import { checkHealth } from "./health-checks.node.ts";
import type { Observer } from "./observer.ts";
import type { Wire } from "./wire.ts";

export interface Upstream {
  readonly origin: string;
  readonly pool: Pool;
  readonly circuit: Circuit | null; // null: it always gets requests, whatever becomes of them
}

export interface Destination {
  readonly upstream: Upstream;
  readonly path: string; // stands before that of a request
  readonly weight: number;
  current: number;
}

export interface Upstreams {
  /**
   * Where a request goes, which is to be sent at once: a reload closes what it does not lead to any more. Null: to the
   * echo. NONE_UP: no upstream of the API gets requests now. One that was `tried` is taken only if there is no other one.
   */
  readonly of: (api: ApiDefinition, tried?: Upstream | null) => Destination | null | NoneUp;
  readonly responded: (circuit: Circuit, turn: number) => void;
  readonly failed: (circuit: Circuit, turn: number) => void;
  readonly circuits: () => readonly Circuit[];
  /** What no API leads to any more is closed when its last answer is through. */
  readonly configure: (configuration: Configuration) => void;
  readonly destroy: () => void;
}

export const NONE_UP = "none up";
export type NoneUp = typeof NONE_UP;

export interface UpstreamsOptions {
  readonly otherwise: URL | null; // for APIs without a target of their own
  readonly isEcho: boolean; // takes none of them out of this process
  readonly wire: Wire;
  readonly observer: Observer;
  readonly clock: () => Micros;
}

export function upstreams(options: UpstreamsOptions, configuration: Configuration): Upstreams {
  const { otherwise, isEcho, wire, observer, clock } = options;
  const common = otherwise === null ? null : targetOf(otherwise.href);
  if (typeof common === "string") throw new Error(`an upstream was let through: ${common}`);
  const { circuitFailures, circuitOpenUs, healthPath } = wire;
  const circuitOptions = { failures: circuitFailures, openUs: circuitOpenUs };
  const isWatched = circuitFailures !== null || healthPath !== null;
  const known = new Map<string, Upstream>(); // by origin
  const destinations = new Map<ApiDefinition, readonly Destination[]>();
  let inForce = configuration;

  const leadsTo = (api: ApiDefinition): readonly WeightedTarget[] => {
    if (isEcho) return [];
    const target = api.target ?? common;
    return api.targets ?? (target === null ? [] : [{ target, weight: 1 }]);
  };
  const upstreamAt = (origin: string): Upstream => {
    const before = known.get(origin);
    if (before !== undefined) return before;
    const circuit = isWatched ? closedCircuit(origin) : null;
    const made = { origin, pool: poolTo(origin, wire), circuit };
    known.set(origin, made);
    return made;
  };
  const choicesOf = (api: ApiDefinition): readonly Destination[] => {
    if (inForce.apis.get(api.id) !== api) return earlierChoicesOf(api);
    const choices = leadsTo(api).map((to) => destinationTo(to, upstreamAt(to.target.origin)));
    destinations.set(api, choices);
    return choices;
  };
  /** For a request that was decided before a reload and waited since: what it leads to, as far as it is still in use. */
  const earlierChoicesOf = (api: ApiDefinition): readonly Destination[] =>
    leadsTo(api).flatMap((to) => {
      const upstream = known.get(to.target.origin);
      return upstream === undefined ? [] : [destinationTo(to, upstream)];
    });
  /** Nothing else finds it, so no reload revives what it has taken away. */
  const destinationOnce = ([to]: readonly WeightedTarget[]): Destination | null => {
    if (to === undefined) return null;
    const { origin } = to.target;
    const pool = poolTo(origin, wire);
    queueMicrotask(() => void pool.close()); // when its one request is through, which is sent by then
    return destinationTo(to, { origin, pool, circuit: null });
  };
  const changed = (circuit: Circuit): void => {
    const { origin } = circuit;
    if (known.get(origin)?.circuit === circuit)
      observer.upstreamChanged?.(origin, isUp(circuit), clock());
  };
  const circuits = (): readonly Circuit[] =>
    [...known.values()].flatMap(({ circuit }) => circuit ?? []);
  // What is watched is shown from the start on; the connections are made by the first request.
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
          changed,
        });
  return {
    of: (api, tried = null) => {
      const choices = destinations.get(api) ?? choicesOf(api);
      const [only] = choices;
      if (only === undefined) return tried === null ? destinationOnce(leadsTo(api)) : NONE_UP;
      if (choices.length === 1 && only.upstream.circuit === null) return only;
      return choose(choices, clock(), tried) ?? NONE_UP;
    },
    responded: (circuit, turn) => {
      const wasUp = isUp(circuit);
      succeed(circuit, turn);
      if (isUp(circuit) !== wasUp) changed(circuit);
    },
    failed: (circuit, turn) => {
      const wasUp = isUp(circuit);
      fail(circuit, turn, clock(), circuitOptions);
      if (isUp(circuit) !== wasUp) changed(circuit);
    },
    circuits,
    configure: (next) => {
      inForce = next;
      const before = [...destinations];
      destinations.clear();
      const stay = new Set(
        [...next.apis.values()].flatMap((api) => leadsTo(api).map(({ target }) => target.origin)),
      );
      for (const [origin, { pool }] of known) {
        if (stay.has(origin)) continue;
        known.delete(origin);
        void pool.close();
      }
      // Where an API leads as before, whose turn it is stays as well: records change often.
      for (const [{ id }, choices] of before) {
        const api = next.apis.get(id);
        if (api !== undefined && isSame(choices, leadsTo(api))) destinations.set(api, choices);
      }
      open(next);
    },
    destroy: () => {
      leave?.();
      for (const { pool } of known.values()) void pool.destroy();
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

const poolTo = (origin: string, wire: Wire): Pool =>
  new Pool(origin, {
    allowH2: false,
    connections: wire.upstreamConnections,
    connectTimeout: toMilliseconds(wire.connectTimeoutUs),
    headersTimeout: toMilliseconds(wire.responseTimeoutUs),
    bodyTimeout: toMilliseconds(wire.responseIdleTimeoutUs),
  });
