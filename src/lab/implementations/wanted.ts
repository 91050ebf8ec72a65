// The limits that a world needs from a limiter, one by one, whatever policies and merges produce them.
import { isForAll, isQuota, SCOPES, type Budget, type Scope } from "../../limiter/core/budget.ts";
import type {
  ApiDefinition,
  Configuration,
  EndpointLimit,
  GatewayOptions,
  KeyBy,
} from "../../limiter/core/config.ts";
import { matchesPattern } from "../../limiter/core/resolve/endpoint.ts";
import { capacityOf } from "../../limiter/core/limit.ts";
import type { ApiRules, Resolver, Rules } from "../../limiter/core/resolve/resolved.ts";
import { resolver, rulesAt, sessionOf } from "../../limiter/core/resolve/resolver.ts";
import { levelOf } from "../../limiter/core/select.ts";

export interface WantedEndpoint {
  readonly method: string;
  readonly pieces: readonly string[]; // the path within the API, split at wildcards
  readonly isOfRoot: boolean; // whether the endpoint also matches the listen path itself
}

/** A set of requests that a limit counts. */
export interface WantedPlace {
  readonly path: string; // the listen path of an API
  readonly below: readonly string[]; // listen paths of other APIs below it
  readonly endpoint: WantedEndpoint | null;
  readonly except: readonly WantedEndpoint[]; // earlier entries, whose requests this limit does not count
  readonly credentials: readonly string[]; // credentials of the clients; empty for every client
}

export interface WantedLimit {
  readonly id: string;
  readonly scope: Scope;
  readonly rate: number;
  readonly perUs: number;
  readonly burst: number; // requests admitted at one instant; the whole rate unless configured
  readonly isSmoothed: boolean;
  readonly isForAll: boolean; // whether one budget counts all clients together
  readonly by: KeyBy | "pattern"; // what identifies a client unless isForAll
  readonly places: readonly WantedPlace[];
}

export interface WantedApi {
  readonly path: string;
  readonly isKeyless: boolean;
}

export interface WantedWorld {
  readonly apis: readonly WantedApi[];
  readonly credentials: readonly string[];
  readonly limits: readonly WantedLimit[];
}

export function readWantedWorld(configuration: Configuration): WantedWorld {
  const rules = resolver(configuration);
  const apis = rules.apis.filter(({ definition }) => definition.active);
  const limits = new Map<string, Collected>();
  const burstOf = (budget: Budget): number => burstIn(configuration.options, budget);
  for (const api of apis) {
    const among = {
      api,
      below: below(api.definition, apis),
      credential: null,
      by: api.keyBy,
      burstOf,
    };
    for (const place of placesOf(api.definition.endpoints, api)) add(limits, place, among);
    if (api.definition.keyless) continue; // keyless, so keys have no limits there
    for (const credential of configuration.keys.keys()) {
      const by = sessionOf(rules, credential)?.hasPattern === true ? "pattern" : api.keyBy;
      for (const place of budgetsOfKey(rules, api, credential))
        add(limits, place, { ...among, credential, by });
    }
  }
  return {
    apis: apis.map(({ definition: { listenPath, keyless } }) => ({
      path: listenPath,
      isKeyless: keyless,
    })),
    credentials: [...configuration.keys.keys()],
    limits: [...limits.values()].toSorted(
      (a, b) => SCOPES.indexOf(a.scope) - SCOPES.indexOf(b.scope),
    ),
  };
}

/** A budget, and the requests that it counts. */
type PlacedBudget = Pick<WantedPlace, "endpoint" | "except"> & { readonly budget: Budget };

/** The budgets of the entries: the first matching entry counts a request, and `otherwise` counts all other requests. */
function placesOf(
  entries: readonly EndpointLimit[],
  { table, endpoints: budgets, otherwise }: Rules,
): readonly PlacedBudget[] {
  // Without a table of endpoints, no entry applies (LIM-9).
  const endpoints = (table === null ? [] : entries).map(({ method, pattern }): WantedEndpoint => ({
    method: method.toUpperCase(),
    pieces: pattern.pieces,
    isOfRoot: matchesPattern(pattern, "/"),
  }));
  const listed = endpoints.flatMap((endpoint, i): readonly PlacedBudget[] => {
    const budget = budgets[i] ?? null;
    return budget === null ? [] : [{ budget, endpoint, except: endpoints.slice(0, i) }];
  });
  return otherwise === null
    ? listed
    : [...listed, { budget: otherwise, endpoint: null, except: endpoints }];
}

function budgetsOfKey(rules: Resolver, api: ApiRules, credential: string): readonly PlacedBudget[] {
  const profile = sessionOf(rules, credential)?.profile;
  const own = profile === undefined ? null : rulesAt(rules, api, profile);
  if (profile === undefined || own === null || !own.isEnforceable) return [];
  const entries = profile.merged.grants.get(api.definition.id)?.endpoints ?? [];
  const quotas = [own.quota, own.quotaAtApi].filter((budget) => budget !== null);
  return [
    ...placesOf(entries, own),
    ...quotas.map((budget) => ({ budget, endpoint: null, except: [] })),
  ];
}

const below = ({ listenPath }: ApiDefinition, apis: readonly ApiRules[]): readonly string[] =>
  apis.map(({ definition }) => definition.listenPath).filter((other) => isBelow(other, listenPath));

/** Whether the listen path `other` is below `path`. */
export const isBelow = (other: string, path: string): boolean =>
  other !== path && other.startsWith(path === "/" ? "/" : `${path}/`);

/** The configured burst if the algorithm has a burst, otherwise the whole rate: the algorithm admits or delays it. */
function burstIn(options: GatewayOptions, budget: Budget): number {
  const { traits, burst } = levelOf(options, budget, 1);
  return traits.options.includes("burst") ? burst : capacityOf(budget.limit);
}

/** The id of a budget's limit. The rate is part of it, because keys with different limits can share a space. */
export const limitId = ({ space, limit: { rate, perUs } }: Budget): string =>
  `${space} ${rate}/${perUs}`;

type Collected = Omit<WantedLimit, "places"> & {
  readonly places: (WantedPlace & { readonly credentials: string[] })[];
};

interface Among {
  readonly burstOf: (budget: Budget) => number;
  readonly api: ApiRules;
  readonly below: readonly string[];
  readonly credential: string | null; // null for every client
  readonly by: WantedLimit["by"];
}

function add(
  limits: Map<string, Collected>,
  { budget, endpoint, except }: PlacedBudget,
  { api, below: others, credential, by, burstOf }: Among,
): void {
  const { scope, limit } = budget;
  const { rate, perUs, smoothing } = limit;
  const identity = isQuota(scope) ? "credential" : by;
  const id = limitId(budget);
  // If two APIs identify clients differently, their limits are different too.
  const name = JSON.stringify([id, identity]);
  let wanted = limits.get(name);
  if (wanted === undefined) {
    wanted = {
      id,
      scope,
      rate,
      perUs,
      burst: burstOf(budget),
      isSmoothed: smoothing !== null,
      isForAll: isForAll(budget),
      by: identity,
      places: [],
    };
    limits.set(name, wanted);
  }
  const path = api.definition.listenPath;
  const same = wanted.places.find(
    (place) =>
      place.path === path &&
      JSON.stringify([place.endpoint, place.except]) === JSON.stringify([endpoint, except]),
  );
  if (same === undefined)
    wanted.places.push({
      path,
      below: others,
      endpoint,
      except,
      credentials: credential === null ? [] : [credential],
    });
  else if (credential !== null) same.credentials.push(credential);
}
