// The upstreams of a configuration, each with connections that are kept open.
import { Pool } from "undici";
import type { ApiDefinition, Configuration } from "../core/config.ts";
import { targetOf } from "../core/read/target.ts";
import { toMilliseconds, type Wire } from "./wire.ts";

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
  let pools = new Map<string, Pool>();
  let destinations = new Map<ApiDefinition, Destination>();

  const configure = ({ apis }: Configuration): void => {
    const kept = new Map<string, Pool>();
    destinations = new Map();
    for (const api of apis.values()) {
      const target = isEcho ? null : (api.target ?? common);
      if (target === null) continue;
      const { origin, path } = target;
      const pool = kept.get(origin) ?? pools.get(origin) ?? poolTo(origin, wire);
      kept.set(origin, pool);
      destinations.set(api, { pool, path });
    }
    for (const [origin, pool] of pools) if (!kept.has(origin)) void pool.close();
    pools = kept;
  };
  return {
    of: (api) => destinations.get(api) ?? null,
    configure,
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
