// The upstreams of a configuration, each with connections that are kept open.
import { Pool } from "undici";
import type { ApiDefinition, Configuration, WeightedTarget } from "../core/config.ts";
import { targetOf } from "../core/read/target.ts";
import { toMilliseconds, type Micros } from "../core/units.ts";
import { begin, choose, closedCircuit, fail, isUp, succeed, type Circuit } from "./circuit.ts";
import { checkHealth } from "./health-checks.node.ts";
import type { Observer } from "./observer.ts";
import type { Wire } from "./wire.ts";

export interface Destination {
  readonly pool: Pool;
  readonly path: string; // stands before that of a request
  readonly circuit: Circuit | null; // null: it always gets requests, whatever becomes of them
  readonly weight: number;
  current: number;
}

export interface Upstreams {
  /** Null: the echo. NONE_UP: no upstream of the API gets requests now. `other` is taken only if it is the only one. */
  readonly of: (api: ApiDefinition, other?: Destination | null) => Destination | null | NoneUp;
  readonly responded: (circuit: Circuit) => void;
  readonly failed: (circuit: Circuit) => void;
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

interface Origin {
  readonly pool: Pool;
  readonly circuit: Circuit | null;
}

export function upstreams(options: UpstreamsOptions, configuration: Configuration): Upstreams {
  const { otherwise, isEcho, wire, observer, clock } = options;
  const common = otherwise === null ? null : targetOf(otherwise.href);
  if (typeof common === "string") throw new Error(`an upstream was let through: ${common}`);
  const { circuitFailures, circuitOpenUs, healthPath } = wire;
  const circuitOptions = { failures: circuitFailures, openUs: circuitOpenUs };
  const isWatched = circuitFailures !== null || healthPath !== null;
  const origins = new Map<string, Origin>();
  const destinations = new Map<ApiDefinition, readonly Destination[]>();

  const leadsTo = (api: ApiDefinition): readonly WeightedTarget[] => {
    if (isEcho) return [];
    const target = api.target ?? common;
    return api.targets ?? (target === null ? [] : [{ target, weight: 1 }]);
  };
  const originAt = (name: string): Origin => {
    const known = origins.get(name);
    if (known !== undefined) return known;
    const made = { pool: poolTo(name, wire), circuit: isWatched ? closedCircuit(name) : null };
    origins.set(name, made);
    return made;
  };
  // Also for one of an earlier configuration: a request that was decided by it may still have waited.
  const choicesOf = (api: ApiDefinition): readonly Destination[] => {
    const choices = leadsTo(api).map(({ target: { origin, path }, weight }) => {
      const { pool, circuit } = originAt(origin);
      return { pool, circuit, path, weight, current: 0 };
    });
    destinations.set(api, choices);
    return choices;
  };
  const changed = (circuit: Circuit): void =>
    observer.upstreamChanged?.(circuit.origin, isUp(circuit), clock());
  const circuits = (): readonly Circuit[] =>
    [...origins.values()].flatMap(({ circuit }) => circuit ?? []);
  const open = ({ apis }: Configuration): void => {
    if (healthPath === null) return; // the first request makes the connections
    for (const api of apis.values()) for (const { target } of leadsTo(api)) originAt(target.origin);
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
    of: (api, other = null) => {
      const choices = destinations.get(api) ?? choicesOf(api);
      const [only] = choices;
      if (only === undefined) return null;
      if (choices.length === 1 && only.circuit === null) return only;
      const chosen = choose(choices, clock(), other);
      if (chosen === null) return NONE_UP;
      if (chosen.circuit !== null) begin(chosen.circuit);
      return chosen;
    },
    responded: (circuit) => {
      const wasUp = isUp(circuit);
      succeed(circuit);
      if (isUp(circuit) !== wasUp) changed(circuit);
    },
    failed: (circuit) => {
      const wasUp = isUp(circuit);
      fail(circuit, clock(), circuitOptions);
      if (isUp(circuit) !== wasUp) changed(circuit);
    },
    circuits,
    configure: (next) => {
      destinations.clear();
      const stay = new Set(
        [...next.apis.values()].flatMap((api) => leadsTo(api).map(({ target }) => target.origin)),
      );
      for (const [origin, { pool }] of origins) {
        if (stay.has(origin)) continue;
        origins.delete(origin);
        void pool.close();
      }
      open(next);
    },
    destroy: () => {
      leave?.();
      for (const { pool } of origins.values()) void pool.destroy();
    },
  };
}

const poolTo = (origin: string, wire: Wire): Pool =>
  new Pool(origin, {
    allowH2: false,
    connections: wire.upstreamConnections,
    connectTimeout: toMilliseconds(wire.connectTimeoutUs),
    headersTimeout: toMilliseconds(wire.answerTimeoutUs),
    bodyTimeout: toMilliseconds(wire.answerIdleTimeoutUs),
  });
