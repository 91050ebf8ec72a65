// The upstreams of a configuration, each with connections that are kept open.
import { Pool } from "undici";
import type { ApiDefinition, Configuration, Target } from "../core/config.ts";
import { targetOf } from "../core/read/target.ts";
import { toMilliseconds } from "../core/units.ts";
import type { Wire } from "./wire.ts";

export interface Destination {
  readonly pool: Pool;
  readonly path: string; // stands before that of a request
}

export interface Upstreams {
  /** Null: the echo. */
  readonly of: (api: ApiDefinition) => Destination | null;
  /** What no API leads to any more is closed when its last answer is through. */
  readonly configure: (configuration: Configuration) => void;
  readonly destroy: () => void;
}

/** `otherwise` is for APIs without a target of their own; `isEcho` takes none of them out of this process. */
export function upstreams(otherwise: URL | null, isEcho: boolean, wire: Wire): Upstreams {
  const common = otherwise === null ? null : targetOf(otherwise.href);
  if (typeof common === "string") throw new Error(`an upstream was let through: ${common}`);
  const pools = new Map<string, Pool>();
  const destinations = new Map<ApiDefinition, Destination | null>();
  const leadsTo = (api: ApiDefinition): Target | null => (isEcho ? null : (api.target ?? common));

  // Also for one of an earlier configuration: a request that was decided by it may still have waited.
  const found = (api: ApiDefinition): Destination | null => {
    const target = leadsTo(api);
    if (target === null) return null;
    const { origin, path } = target;
    const pool = pools.get(origin) ?? poolTo(origin, wire);
    pools.set(origin, pool);
    return { pool, path };
  };
  return {
    of: (api) => {
      const known = destinations.get(api);
      if (known !== undefined) return known;
      const destination = found(api);
      destinations.set(api, destination);
      return destination;
    },
    configure: ({ apis }) => {
      destinations.clear();
      const stay = new Set([...apis.values()].map((api) => leadsTo(api)?.origin));
      for (const [origin, pool] of pools) {
        if (stay.has(origin)) continue;
        pools.delete(origin);
        void pool.close();
      }
    },
    destroy: () => {
      for (const pool of pools.values()) void pool.destroy();
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
