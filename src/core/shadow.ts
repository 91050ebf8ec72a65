// Shadow limits are judged and reported, and never enforced (LIM-C13). They are taken out of a
// configuration as soon as it is read and become one of their own, with the same APIs, policies and keys:
// so they meet requests, merge and stand before each other by the very rules of the others (LIM-5,
// LIM-C1, LIM-C10), and none of them can be in the way of a limit that is enforced.
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

/** Before the name of every budget of a shadow, so that it is counted apart. */
export const SHADOW_SPACE = "shadow/";

export function withShadowsApart(read: Configuration): Configuration {
  if (!hasShadows(read)) return read;
  return { ...half(read, false, mapped), shadow: half(read, true, mapped) };
}

/** The same where keys come one by one: each is taken apart when it is asked for. */
export const withShadowsOfKeysToCome = (read: Configuration): Configuration => ({
  ...half(read, false, seenBy),
  shadow: half(read, true, seenBy),
});

const isShadow = (limit: Limit | null): boolean => limit?.shadow === true;

const amongEndpoints = (endpoints: readonly EndpointLimit[]): boolean =>
  endpoints.some(({ limit }) => isShadow(limit));

export function hasShadows({
  apis,
  policies,
  keys,
}: Pick<Configuration, "apis" | "policies" | "keys">): boolean {
  for (const { globalRateLimit, endpoints } of apis.values())
    if (isShadow(globalRateLimit) || amongEndpoints(endpoints)) return true;
  const seen = new Set<unknown>(); // of many keys that are one but for their names
  for (const one of [...policies.values(), ...keys.values()]) {
    if (isShadow(one.limit)) return true;
    if (seen.has(one.accessRights)) continue;
    seen.add(one.accessRights);
    if (bringsShadow(one)) return true;
  }
  return false;
}

export function bringsShadow({ limit, accessRights }: Key | Policy): boolean {
  if (isShadow(limit)) return true;
  for (const right of accessRights?.values() ?? [])
    if (isShadow(right.limit) || amongEndpoints(right.endpoints)) return true;
  return false;
}

/** The shadows of a configuration, or what is left of it without them. */
function half(all: Configuration, wanted: boolean, ofKeys: typeof mapped): Configuration {
  const bare = new WeakMap<Limit, Limit>();
  const limitOf = (limit: Limit | null): Limit | null => {
    if (limit === null || isShadow(limit) !== wanted) return null;
    if (!wanted) return limit;
    const { rate, perUs, smoothing } = limit;
    let known = bare.get(limit);
    if (known === undefined) bare.set(limit, (known = { rate, perUs, smoothing }));
    return known;
  };
  const endpointsOf = (endpoints: readonly EndpointLimit[]): readonly EndpointLimit[] =>
    endpoints.flatMap((entry) => {
      const limit = limitOf(entry.limit);
      return limit === null ? [] : [{ ...entry, limit }];
    });
  const rights = new WeakMap<ReadonlyMap<string, AccessRight>, ReadonlyMap<string, AccessRight>>();
  const rightsOf = (access: ReadonlyMap<string, AccessRight>): ReadonlyMap<string, AccessRight> => {
    let known = rights.get(access);
    if (known === undefined) rights.set(access, (known = mapped(access, rightOf)));
    return known;
  };
  const rightOf = (right: AccessRight): AccessRight => ({
    ...right,
    limit: limitOf(right.limit),
    quota: wanted ? null : right.quota,
    endpoints: endpointsOf(right.endpoints),
  });
  return {
    apis: mapped(all.apis, (api): ApiDefinition => ({
      ...api,
      globalRateLimit: limitOf(api.globalRateLimit),
      endpoints: endpointsOf(api.endpoints),
    })),
    policies: mapped(all.policies, (policy): Policy => ({
      ...policy,
      limit: limitOf(policy.limit),
      accessRights: rightsOf(policy.accessRights),
      quota: wanted ? null : policy.quota,
    })),
    keys: ofKeys(all.keys, (key): Key => ({
      ...key,
      limit: limitOf(key.limit),
      accessRights: key.accessRights === null ? null : rightsOf(key.accessRights),
      quota: wanted ? null : key.quota,
    })),
    options: wanted ? behindTheAnswer(all.options) : all.options,
    shadow: null,
  };
}

const mapped = <Value>(
  all: ReadonlyMap<string, Value>,
  by: (value: Value) => Value,
): ReadonlyMap<string, Value> => new Map([...all].map(([name, value]) => [name, by(value)]));

/** As it is at any moment, without a copy of it. */
function seenBy<Value>(
  all: ReadonlyMap<string, Value>,
  by: (value: Value) => Value,
): ReadonlyMap<string, Value> {
  function* pairs(): Generator<[string, Value], undefined> {
    for (const [name, value] of all) yield [name, by(value)];
  }
  function* values(): Generator<Value, undefined> {
    for (const value of all.values()) yield by(value);
  }
  const seen: ReadonlyMap<string, Value> = {
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
    forEach: (tell) => {
      for (const [name, value] of pairs()) tell(value, name, seen);
    },
  };
  return seen;
}

/** Such a log decides as the plain one does, and only answers sooner. */
const onlyAnswersSooner = ({ isWrittenInBackground, sentAsCommands }: AlgorithmTraits): boolean =>
  isWrittenInBackground || sentAsCommands === "always";

/**
 * A shadow is judged behind the answer, where nobody waits: what a sentinel and a pipeline save their clients
 * is nothing there, and the plain log decides as they do (ALG-C5, ALG-C6).
 */
function behindTheAnswer(options: GatewayOptions): GatewayOptions {
  const { algorithm, enableSentinelRateLimiter } = options;
  return {
    ...options,
    algorithm:
      algorithm !== null && onlyAnswersSooner(TRAITS[algorithm]) ? "sliding_log" : algorithm,
    enableSentinelRateLimiter: false,
    enableNonTransactionalRateLimiter: false,
    drlThreshold: enableSentinelRateLimiter ? 0 : options.drlThreshold,
  };
}
