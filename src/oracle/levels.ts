// Which budgets one request is held against, in the order of LIM-C1, and by which algorithm each counts.
import type { Algorithm, GatewayOptions } from "../core/config.ts";
import type { Limit } from "../core/limit.ts";
import type { Served } from "./admission.ts";
import { identityOf } from "./identity.ts";
import { endpointFor } from "./path.ts";
import { isAboveThreshold, isUnlimited } from "./rates.ts";

export type Scope = "api-endpoint" | "api" | "key-endpoint" | "key-api" | "key" | "quota";

export interface Level {
  readonly scope: Scope;
  readonly budget: string; // what is counted together; two algorithms count one budget apart
  readonly limit: Limit;
  readonly algorithm: Algorithm | "quota";
  readonly because: readonly string[];
}

const LOGS: ReadonlySet<string> = new Set([
  "sliding_log",
  "non_transactional",
  "sentinel",
  "bounded_log",
]);

export const isLog = ({ algorithm }: Level): boolean => LOGS.has(algorithm);

/** SMO-C5: smoothing acts on logs alone. */
export const isSmoothed = (level: Level): boolean => level.limit.smoothing !== null && isLog(level);

/** LIM-C2: a fractional rate admits its whole part. */
export const capacityOf = (level: Level): number => Math.floor(level.limit.rate);

export function levelsFor(
  served: Served,
  method: string,
  gateways: number,
  options: GatewayOptions,
): Level[] {
  const rate = served.api.disableRateLimit
    ? []
    : [apiLevel(served, method), keyLevel(served, method)].filter((found) => found !== null);
  const levels: Level[] = rate
    .filter(({ limit }) => !isUnlimited(limit))
    .map((found) => ({ ...found, algorithm: algorithmFor(found.limit, gateways, options) }));
  const quota = quotaLevel(served);
  if (quota !== null) levels.push(quota);
  if (options.limitOrder === "api_first") return levels;
  const isApi = ({ scope }: Level): boolean => scope === "api" || scope === "api-endpoint";
  return [...levels.filter((level) => !isApi(level)), ...levels.filter(isApi)];
}

type Found = Omit<Level, "algorithm">;

const found = (
  scope: Scope,
  limit: Limit,
  because: readonly string[],
  ...parts: readonly string[]
): Found => ({
  scope,
  limit,
  because,
  budget: JSON.stringify([scope, limit.perUs, ...parts]),
});

/** LIM-C10: the most specific limit that exists, and -1 ends the search like any other. */
function apiLevel({ api, path }: Served, method: string): Found | null {
  const entry = endpointFor(api.endpoints, method, path);
  if (entry !== null)
    return found(
      "api-endpoint",
      entry.limit,
      ["EPT-1", "LIM-2"],
      api.id,
      entry.method,
      entry.pattern.text,
    );
  return api.globalRateLimit === null
    ? null
    : found("api", api.globalRateLimit, ["LIM-7", "LIM-2"], api.id);
}

function keyLevel({ api, path, client }: Served, method: string): Found | null {
  if (client === null) return null;
  const { key, merged, grant } = client;
  const identity = identityOf(key.id, merged.metaData);
  const shared = identity.startsWith("pattern") ? ["LIM-11"] : [];
  const entry = endpointFor(grant.endpoints, method, path);
  if (entry !== null)
    return found(
      "key-endpoint",
      entry.limit,
      ["EPT-C5", ...shared],
      identity,
      api.id,
      entry.method,
      entry.pattern.text,
    );
  if (grant.chosen === null) return null;
  const { limit, own } = grant.chosen;
  if (own) return found("key-api", limit, ["LIM-6", ...shared], identity, api.id);
  return found(
    "key",
    limit,
    [key.applyPolicies.length > 0 ? "LIM-3" : "LIM-1", ...shared],
    identity,
  );
}

function quotaLevel({ client }: Served): Level | null {
  if (client === null || client.merged.quota === null) return null;
  const { max, renewalUs } = client.merged.quota;
  const limit = { rate: max, perUs: renewalUs, smoothing: null };
  const identity = identityOf(client.key.id, client.merged.metaData);
  return {
    scope: "quota",
    limit,
    algorithm: "quota",
    because: ["LIM-C9"],
    budget: JSON.stringify(["quota", String(renewalUs), identity]),
  };
}

/** ALG-C1; an algorithm that is named outright is used whatever the flags and the threshold say (ALG-C9). */
function algorithmFor(limit: Limit, gateways: number, options: GatewayOptions): Algorithm {
  if (options.algorithm !== null) return options.algorithm;
  if (options.enableFixedWindowRateLimiter) return "fixed_window";
  if (options.enableSentinelRateLimiter) return "sentinel";
  if (options.drlThreshold > 0 && isAboveThreshold(limit, options.drlThreshold, gateways))
    return "drl";
  return options.enableNonTransactionalRateLimiter ? "non_transactional" : "sliding_log";
}
