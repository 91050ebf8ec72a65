// A candidate: a limit and what counts it. It decides by the limiter that gateways have, with counters in memory.
import type { Client } from "../core/client.ts";
import type { GatewayOptions } from "../core/config.ts";
import { newDecision, type Decision } from "../core/decision.ts";
import { decideNow, limiter, LOCAL_STORE_TRAITS, prepare } from "../core/limiter.ts";
import type { Resolved } from "../core/resolve/resolved.ts";
import { resolver } from "../core/resolve/resolver.ts";
import { formatDuration, micros, type Micros } from "../core/units.ts";
import { localStore, memoryStore } from "../store/memory.ts";

export interface LimitSize {
  readonly rate: number;
  readonly perUs: Micros;
}

export interface Candidate {
  readonly limit: LimitSize;
  /** An algorithm, or a profile of a limiter of others. */
  readonly by: { readonly kind: "algorithm" | "profile"; readonly name: string };
  readonly options: GatewayOptions;
}

/** `100/1m`. */
export const limitText = ({ rate, perUs }: LimitSize): string => `${rate}/${shortDuration(perUs)}`;

export const candidateText = ({ limit, by }: Candidate): string => `${limitText(limit)} ${by.name}`;

const UNITS = [
  ["h", 3_600_000_000],
  ["m", 60_000_000],
  ["s", 1_000_000],
] as const;

function shortDuration(us: Micros): string {
  const unit = UNITS.find(([, unitUs]) => us % unitUs === 0 && us > 0);
  return unit === undefined ? formatDuration(us) : `${us / unit[1]}${unit[0]}`;
}

/** Decides the next request. The decision is valid until the next call. */
export type Decide = (client: Client, atUs: number) => Decision;

/** A limiter with this limit for each client, and counters of its own. */
export function startCandidate({ limit, options }: Candidate): Decide {
  const configuration = {
    apis: new Map(),
    policies: new Map(),
    keys: new Map(),
    options,
    shadow: null,
  };
  const resolved: Resolved = {
    id: 0,
    api: null,
    key: {
      space: "replay",
      scope: "key",
      limit: { ...limit, smoothing: null },
      because: [],
    },
    quota: null,
    quotaAtApi: null,
  };
  const store = localStore(memoryStore(), memoryStore());
  const own = limiter(resolver(configuration), store, LOCAL_STORE_TRAITS, null);
  const prepared = prepare(own, resolved, micros(0));
  const into = newDecision();
  return (client, atUs) => decideNow(own, prepared, client, micros(atUs), "spend", 1, into);
}
