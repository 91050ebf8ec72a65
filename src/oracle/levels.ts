// Which budgets one request is held against, in the order of LIM-C1, and by which algorithm each counts.
import type { Served } from "./admission.ts";
import { SPECS, type SpecifiedAlgorithm } from "../spec/by-algorithm.ts";
import type { GatewayOptions, Limit } from "./configured.ts";
import { ofCredential, ofOption, ofPattern, type Identity, type Shown } from "./identity.ts";
import { endpointFor } from "./path.ts";
import { isAboveThreshold, isUnlimited } from "./rates.ts";

export type Scope =
  | "api-endpoint"
  | "api"
  | "key-endpoint"
  | "key-api"
  | "key"
  | "quota-api"
  | "quota";

export interface Level {
  readonly scope: Scope;
  readonly budget: string; // what is counted together; two algorithms count one budget apart
  readonly holder: string; // whose it is; empty: of all clients
  readonly name: string | null; // as refusals and resets call it; null: not told by hand
  readonly limit: Limit;
  readonly algorithm: SpecifiedAlgorithm | "quota";
  readonly because: readonly string[];
}

export const isLog = ({ algorithm }: Level): boolean => SPECS[algorithm].countsAttempts;

/** Counted by each gateway for itself (ALG-C4): no store answers for it, and none loses it. */
export const isCountedHere = ({ algorithm }: Level): boolean =>
  SPECS[algorithm].countedBy === "gateway";

/** SMO-C5: smoothing acts on logs alone. */
export const isSmoothed = (level: Level): boolean => level.limit.smoothing !== null && isLog(level);

/** LIM-C2: a fractional rate admits its whole part. */
export const capacityOf = (level: Level): number => Math.floor(level.limit.rate);

export const isQuota = ({ scope }: { readonly scope: Scope }): boolean =>
  scope === "quota" || scope === "quota-api";

/** Who asks for what, and what with (LIM-C17). */
export interface Request extends Shown {
  readonly method: string;
  readonly gateways: number;
}

export function levelsFor(served: Served, request: Request, options: GatewayOptions): Level[] {
  const { api } = served;
  const shown = ofOption(api.keyBy ?? options.keyBy, request, options.ipv6Prefix);
  const rates = api.disableRateLimit
    ? []
    : [
        apiLevel(served, api.keyless ? shown : null, request, options),
        keyLevel(served, shown, request, options),
      ];
  const levels: Level[] = rates
    .filter((found) => found !== null)
    .filter(({ limit }) => !isUnlimited(limit))
    .map((found) => ({
      ...found,
      algorithm: algorithmFor(found.limit, request.gateways, options),
    }));
  levels.push(...quotaLevels(served));
  if (options.limitOrder === "api_first") return levels;
  const isApi = ({ scope }: Level): boolean => scope === "api" || scope === "api-endpoint";
  return [...levels.filter((level) => !isApi(level)), ...levels.filter(isApi)];
}

type Found = Omit<Level, "algorithm">;

/** Of a budget that several may share only those do whose window and smoothing are alike (LIM-C8). */
const found = (
  scope: Scope,
  limit: Limit,
  because: readonly string[],
  identity: Identity | null,
  ...parts: readonly string[]
): Found => ({
  scope,
  limit,
  because,
  holder: identity?.text ?? "",
  name:
    identity?.isShared === true && limit.smoothing !== null
      ? null
      : nameOf(scope, limit.perUs, identity, parts),
  budget: JSON.stringify([
    scope,
    limit.perUs,
    identity === null ? [] : [identity.text, identity.isShared ? limit.smoothing : null],
    ...parts,
  ]),
});

/** `key-endpoint/orders/GET /slow/1000000us|key:ann` (MGT-C11). */
const nameOf = (
  scope: Scope,
  perUs: number,
  identity: Identity | null,
  [api = "", method, path]: readonly string[],
): string | null => {
  const space = [
    scope,
    ...(api === "" ? [] : [api]),
    ...(method === undefined ? [] : [`${method} ${path}`]),
  ];
  return identity === null || identity.name === null
    ? null
    : `${space.join("/")}/${perUs}us|${identity.name}`;
};

/** LIM-C10: the most specific limit that exists, and -1 ends the search like any other. */
function apiLevel(
  { api, paths }: Served,
  identity: Identity | null,
  { method }: Request,
  options: GatewayOptions,
): Found | null {
  const entry = endpointFor(api.endpoints, method, paths, options);
  const shared = identity === null ? [] : ["LIM-C17"];
  if (entry !== null)
    return found(
      "api-endpoint",
      entry.limit,
      ["EPT-1", "LIM-2", ...shared],
      identity,
      api.id,
      entry.method,
      entry.pattern.text,
    );
  return api.globalRateLimit === null
    ? null
    : found("api", api.globalRateLimit, ["LIM-7", "LIM-2", ...shared], identity, api.id);
}

function keyLevel(
  { api, paths, client }: Served,
  shown: Identity | null,
  { method }: Request,
  options: GatewayOptions,
): Found | null {
  if (client === null) return null;
  const { key, merged, grant } = client;
  const pattern = ofPattern(merged.metaData);
  const identity = pattern ?? shown ?? ofCredential(key.id);
  const shared = pattern === null ? (shown === null ? [] : ["LIM-C17"]) : ["LIM-11"];
  const entry = endpointFor(grant.endpoints, method, paths, options);
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
  const { limit, from } = grant.chosen;
  if (from === "own") return found("key-api", limit, ["LIM-6", ...shared], identity, api.id);
  return found(
    "key",
    limit,
    [key.applyPolicies.length > 0 ? "LIM-3" : "LIM-1", ...shared],
    identity,
    ...(from === "root" ? [] : [from.policy]),
  );
}

/** LIM-C9: always the credential's, or its pattern's. */
function quotaLevels({ api, client }: Served): Level[] {
  if (client === null) return [];
  const identity = ofPattern(client.merged.metaData) ?? ofCredential(client.key.id);
  return client.grant.quotas.map(({ quota: { max, renewalUs }, from }) => ({
    scope: from === "own" ? "quota-api" : "quota",
    limit: { rate: max, perUs: renewalUs, smoothing: null },
    algorithm: "quota",
    because: ["LIM-C9"],
    holder: identity.text,
    name: nameOf(
      from === "own" ? "quota-api" : "quota",
      renewalUs,
      identity,
      from === "own" ? [api.id] : from === "root" ? [] : [from.policy],
    ),
    budget: JSON.stringify([
      from === "own" ? "quota-api" : "quota",
      String(renewalUs),
      identity.text,
      ...(from === "own" ? [api.id] : from === "root" ? [] : [from.policy]),
    ]),
  }));
}

/** ALG-C1 and ALG-C9, as a list: the first that is so decides. */
function algorithmFor(limit: Limit, gateways: number, options: GatewayOptions): SpecifiedAlgorithm {
  const isFast =
    options.drlThreshold > 0 && isAboveThreshold(limit, options.drlThreshold, gateways);
  const order: readonly (readonly [isSo: boolean, algorithm: SpecifiedAlgorithm])[] = [
    [options.enableFixedWindowRateLimiter, "fixed_window"],
    [options.enableSentinelRateLimiter, "sentinel"],
    [isFast, "drl"],
    [options.enableNonTransactionalRateLimiter, "non_transactional"],
  ];
  const [first] = order.flatMap(([isSo, algorithm]) => (isSo ? [algorithm] : []));
  return options.algorithm ?? first ?? "sliding_log";
}
