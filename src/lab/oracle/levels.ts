// The budgets that limit one request, in the order of LIM-C1, and the algorithm by which each counts.
import type { Served } from "./admission.ts";
import { SPECS, type SpecifiedAlgorithm } from "../../limiter/spec/by-algorithm.ts";
import type { OracleOptions, OracleLimit } from "./configured.ts";
import {
  ofCredential,
  ofOption,
  ofPattern,
  type Identity,
  type RequestOrigin,
} from "./identity.ts";
import { endpointFor } from "./path.ts";
import { isAboveThreshold, isUnlimited } from "./rates.ts";

type OracleScope =
  | "api-endpoint"
  | "api"
  | "key-endpoint"
  | "key-api"
  | "key"
  | "quota-api"
  | "quota";

export interface OracleLevel {
  readonly scope: OracleScope;
  readonly budget: string; // identifies the counter; two algorithms count one budget separately
  readonly holder: string; // the identity whose counter it is; empty for all clients
  readonly name: string | null; // used in refusals and resets; null if the budget has no name
  readonly limit: OracleLimit;
  readonly algorithm: SpecifiedAlgorithm | "quota";
  readonly because: readonly string[];
}

export const isLog = ({ algorithm }: OracleLevel): boolean => SPECS[algorithm].countsAttempts;

/** Whether each gateway counts in its own memory (ALG-C4), so that a restart of the store loses no counts. */
export const isCountedHere = ({ algorithm }: OracleLevel): boolean =>
  SPECS[algorithm].countedBy === "gateway";

/** The name of a level's ledger. Each algorithm has its own ledger, and DRL has one for each gateway (ALG-C4). */
const ledgerOf = (level: OracleLevel, gateway: number): string =>
  `${level.algorithm}${isCountedHere(level) ? ` of gateway ${gateway}` : ""} ${level.budget}`;

export const ledgersOf = (levels: readonly OracleLevel[], gateway: number): readonly string[] =>
  levels.map((level) => ledgerOf(level, gateway));

/** SMO-C5: smoothing applies only to logs. */
export const isSmoothed = (level: OracleLevel): boolean =>
  level.limit.smoothing !== null && isLog(level);

/** LIM-C2: only the integer part of a rate is admitted. */
export const capacityOf = (level: OracleLevel): number => Math.floor(level.limit.rate);

export const isQuota = ({ scope }: { readonly scope: OracleScope }): boolean =>
  scope === "quota" || scope === "quota-api";

/** The request of a client, with the properties by which it may be counted (LIM-C17). */
interface OracleRequest extends RequestOrigin {
  readonly method: string;
  readonly gateways: number;
}

export function levelsFor(
  served: Served,
  request: OracleRequest,
  options: OracleOptions,
): OracleLevel[] {
  const { api } = served;
  const shown = ofOption(api.keyBy ?? options.keyBy, request, options.ipv6Prefix);
  const rates = api.disableRateLimit
    ? []
    : [
        apiLevel(served, api.keyless ? shown : null, request, options),
        keyLevel(served, shown, request, options),
      ];
  const levels: OracleLevel[] = rates
    .filter((level) => level !== null)
    .filter(({ limit }) => !isUnlimited(limit))
    .map((level) => ({
      ...level,
      algorithm: algorithmFor(level.limit, request.gateways, options),
    }));
  levels.push(...quotaLevels(served));
  if (options.limitOrder === "api_first") return levels;
  const isApi = ({ scope }: OracleLevel): boolean => scope === "api" || scope === "api-endpoint";
  return [...levels.filter((level) => !isApi(level)), ...levels.filter(isApi)];
}

type LevelBudget = Omit<OracleLevel, "algorithm">;

/** Several keys share a budget only if their window and smoothing are equal (LIM-C8). */
const levelBudget = (
  scope: OracleScope,
  limit: OracleLimit,
  because: readonly string[],
  identity: Identity | null,
  ...parts: readonly string[]
): LevelBudget => ({
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

/** A name such as `key-endpoint/orders/GET /slow/1000000us|key:ann` (MGT-C11). */
const nameOf = (
  scope: OracleScope,
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

/** LIM-C10: the most specific limit that exists. A limit of -1 (unlimited) also ends the search. */
function apiLevel(
  { api, paths }: Served,
  identity: Identity | null,
  { method }: OracleRequest,
  options: OracleOptions,
): LevelBudget | null {
  const entry = endpointFor(api.endpoints, method, paths, options);
  const shared = identity === null ? [] : ["LIM-C17"];
  if (entry !== null)
    return levelBudget(
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
    : levelBudget("api", api.globalRateLimit, ["LIM-7", "LIM-2", ...shared], identity, api.id);
}

function keyLevel(
  { api, paths, client }: Served,
  shown: Identity | null,
  { method }: OracleRequest,
  options: OracleOptions,
): LevelBudget | null {
  if (client === null) return null;
  const { key, merged, grant } = client;
  const pattern = ofPattern(merged.metaData);
  const identity = pattern ?? shown ?? ofCredential(key.id);
  const shared = pattern === null ? (shown === null ? [] : ["LIM-C17"]) : ["LIM-11"];
  const entry = endpointFor(grant.endpoints, method, paths, options);
  if (entry !== null)
    return levelBudget(
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
  if (from === "own") return levelBudget("key-api", limit, ["LIM-6", ...shared], identity, api.id);
  return levelBudget(
    "key",
    limit,
    [key.applyPolicies.length > 0 ? "LIM-3" : "LIM-1", ...shared],
    identity,
    ...(from === "root" ? [] : [from.policy]),
  );
}

/** LIM-C9: a quota is always counted by the credential or its pattern. */
function quotaLevels({ api, client }: Served): OracleLevel[] {
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

/** ALG-C1 and ALG-C9 as a list of conditions: the first that is true decides. */
function algorithmFor(
  limit: OracleLimit,
  gateways: number,
  options: OracleOptions,
): SpecifiedAlgorithm {
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
