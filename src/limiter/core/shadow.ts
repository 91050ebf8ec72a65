// Shadow limits are evaluated and reported, never enforced (LIM-C13). As soon as a configuration is read, they are
// moved to a second configuration with the same APIs, policies and keys. So they match requests, merge and override
// each other by the same rules as enforced limits (LIM-5, LIM-C1, LIM-C10), and cannot affect enforced limits.
import type {
  AccessRight,
  ApiDefinition,
  Configuration,
  EndpointLimit,
  GatewayOptions,
  Key,
  Policy,
} from "./config.ts";
import type { Limit } from "./limit.ts";
import { TRAITS } from "./algorithms.ts";
import type { AlgorithmTraits } from "./traits.ts";

/** Prefix of the name of every shadow budget, so that shadow budgets are counted separately. */
export const SHADOW_SPACE = "shadow/";

export function separateShadows(configuration: Configuration): Configuration {
  if (!hasShadows(configuration)) return configuration;
  return {
    ...filterLimits(configuration, false, mapValues),
    shadow: filterLimits(configuration, true, mapValues),
  };
}

/** Like `separateShadows`, for a configuration that loads keys one by one: each key is separated when it is read. */
export const separateShadowsLazily = (configuration: Configuration): Configuration => ({
  ...filterLimits(configuration, false, viewValues),
  shadow: filterLimits(configuration, true, viewValues),
});

const isShadow = (limit: Limit | null): boolean => limit?.shadow === true;

const hasShadowEndpoint = (endpoints: readonly EndpointLimit[]): boolean =>
  endpoints.some(({ limit }) => isShadow(limit));

export function hasShadows({
  apis,
  policies,
  keys,
}: Pick<Configuration, "apis" | "policies" | "keys">): boolean {
  for (const { globalRateLimit, endpoints } of apis.values())
    if (isShadow(globalRateLimit) || hasShadowEndpoint(endpoints)) return true;
  const seen = new Set<unknown>(); // access rights already searched: many keys share them
  for (const owner of [...policies.values(), ...keys.values()]) {
    if (isShadow(owner.limit)) return true;
    if (seen.has(owner.accessRights)) continue;
    seen.add(owner.accessRights);
    if (hasShadowLimit(owner)) return true;
  }
  return false;
}

export function hasShadowLimit({ limit, accessRights }: Key | Policy): boolean {
  if (isShadow(limit)) return true;
  for (const right of accessRights?.values() ?? [])
    if (isShadow(right.limit) || hasShadowEndpoint(right.endpoints)) return true;
  return false;
}

/** Keeps only the shadow limits of a configuration, or only the enforced ones. */
function filterLimits(
  all: Configuration,
  wantsShadows: boolean,
  mapKeys: typeof mapValues,
): Configuration {
  const bare = new WeakMap<Limit, Limit>();
  const limitOf = (limit: Limit | null): Limit | null => {
    if (limit === null || isShadow(limit) !== wantsShadows) return null;
    if (!wantsShadows) return limit;
    const { rate, perUs, smoothing } = limit;
    let copy = bare.get(limit);
    if (copy === undefined) bare.set(limit, (copy = { rate, perUs, smoothing }));
    return copy;
  };
  const endpointsOf = (endpoints: readonly EndpointLimit[]): readonly EndpointLimit[] =>
    endpoints.flatMap((entry) => {
      const limit = limitOf(entry.limit);
      return limit === null ? [] : [{ ...entry, limit }];
    });
  const rights = new WeakMap<ReadonlyMap<string, AccessRight>, ReadonlyMap<string, AccessRight>>();
  const rightsOf = (access: ReadonlyMap<string, AccessRight>): ReadonlyMap<string, AccessRight> => {
    let filtered = rights.get(access);
    if (filtered === undefined) rights.set(access, (filtered = mapValues(access, rightOf)));
    return filtered;
  };
  const rightOf = (right: AccessRight): AccessRight => ({
    ...right,
    limit: limitOf(right.limit),
    quota: wantsShadows ? null : right.quota,
    endpoints: endpointsOf(right.endpoints),
  });
  return {
    apis: mapValues(all.apis, (api): ApiDefinition => ({
      ...api,
      globalRateLimit: limitOf(api.globalRateLimit),
      endpoints: endpointsOf(api.endpoints),
    })),
    policies: mapValues(all.policies, (policy): Policy => ({
      ...policy,
      limit: limitOf(policy.limit),
      accessRights: rightsOf(policy.accessRights),
      quota: wantsShadows ? null : policy.quota,
    })),
    keys: mapKeys(all.keys, (key): Key => ({
      ...key,
      limit: limitOf(key.limit),
      accessRights: key.accessRights === null ? null : rightsOf(key.accessRights),
      quota: wantsShadows ? null : key.quota,
    })),
    options: wantsShadows ? backgroundOptions(all.options) : all.options,
    shadow: null,
  };
}

const mapValues = <Value>(
  all: ReadonlyMap<string, Value>,
  by: (value: Value) => Value,
): ReadonlyMap<string, Value> => new Map([...all].map(([name, value]) => [name, by(value)]));

/** A view of the map that converts each value when it is read, without a copy. */
function viewValues<Value>(
  all: ReadonlyMap<string, Value>,
  by: (value: Value) => Value,
): ReadonlyMap<string, Value> {
  function* pairs(): Generator<[string, Value], undefined> {
    for (const [name, value] of all) yield [name, by(value)];
  }
  function* values(): Generator<Value, undefined> {
    for (const value of all.values()) yield by(value);
  }
  const view: ReadonlyMap<string, Value> = {
    get size() {
      return all.size;
    },
    has: (name) => all.has(name),
    get: (name) => {
      const value = all.get(name);
      return value === undefined ? undefined : by(value);
    },
    keys: () => all.keys(),
    values,
    entries: pairs,
    [Symbol.iterator]: pairs,
    forEach: (callback) => {
      for (const [name, value] of pairs()) callback(value, name, view);
    },
  };
  return view;
}

/** True for an algorithm that decides as the plain log does, but responds sooner. */
const isOnlyFaster = ({ isWrittenInBackground, sentAsCommands }: AlgorithmTraits): boolean =>
  isWrittenInBackground || sentAsCommands === "always";

/**
 * Shadow limits are evaluated after the response, so no client waits for them. The plain log replaces sentinel and
 * pipeline, which decide alike and only save time (ALG-C5, ALG-C6).
 */
function backgroundOptions(options: GatewayOptions): GatewayOptions {
  const { algorithm, enableSentinelRateLimiter } = options;
  return {
    ...options,
    algorithm: algorithm !== null && isOnlyFaster(TRAITS[algorithm]) ? "sliding_log" : algorithm,
    enableSentinelRateLimiter: false,
    enableNonTransactionalRateLimiter: false,
    drlThreshold: enableSentinelRateLimiter ? 0 : options.drlThreshold,
  };
}
