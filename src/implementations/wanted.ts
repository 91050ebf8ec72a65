// What a world wants of a limiter: its limits one by one, whichever policies and merges they come from.
import { isForAll, SCOPES, type Budget, type Scope } from "../core/budget.ts";
import type { Configuration, EndpointLimit } from "../core/config.ts";
import type { ApiRules, Resolver, Rules } from "../core/resolve/resolved.ts";
import { resolver, rulesAt, sessionOf } from "../core/resolve/resolver.ts";

export interface WantedEndpoint {
  readonly method: string;
  readonly path: string; // a pattern, from the listen path
}

export interface WantedLimit {
  readonly id: string;
  readonly scope: Scope;
  readonly rate: number;
  readonly perUs: number;
  readonly isSmoothed: boolean;
  readonly isForAll: boolean; // one budget for all clients together
  readonly paths: readonly string[]; // listen paths of the APIs whose requests it counts
  readonly endpoint: WantedEndpoint | null;
  readonly except: readonly WantedEndpoint[]; // requests that a more specific limit counts, or none
  readonly credentials: readonly string[]; // whose requests it counts; empty: all
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

interface Collected extends WantedLimit {
  readonly paths: string[];
  readonly credentials: string[];
}

export function readWantedWorld(configuration: Configuration): WantedWorld {
  const rules = resolver(configuration);
  const limits = new Map<string, Collected>();
  for (const api of rules.apis) {
    for (const place of placesOf(api.definition.endpoints, api)) add(limits, place, api, null);
    for (const credential of configuration.keys.keys())
      for (const place of budgetsOfKey(rules, api, credential)) add(limits, place, api, credential);
  }
  return {
    apis: rules.apis.map(({ definition: { listenPath, keyless } }) => ({
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
type PlacedBudget = Pick<WantedLimit, "endpoint" | "except"> & { readonly budget: Budget };

/** The first entry that matches counts a request; what matches none is counted by the limit of the whole. */
function placesOf(
  entries: readonly EndpointLimit[],
  { endpoints: budgets, otherwise }: Rules,
): readonly PlacedBudget[] {
  const endpoints = entries.map(({ method, pattern }) => ({ method, path: pattern.text }));
  const listed = budgets.flatMap((budget, i): readonly PlacedBudget[] =>
    budget === null ? [] : [{ budget, endpoint: endpoints[i]!, except: endpoints.slice(0, i) }],
  );
  return otherwise === null
    ? listed
    : [...listed, { budget: otherwise, endpoint: null, except: endpoints }];
}

function budgetsOfKey(rules: Resolver, api: ApiRules, credential: string): readonly PlacedBudget[] {
  const profile = sessionOf(rules, credential)?.profile;
  const own = profile === undefined ? null : rulesAt(rules, api, profile);
  if (profile === undefined || own === null) return [];
  const entries = profile.merged.grants.get(api.definition.id)?.endpoints ?? [];
  const quotas = [own.quota, own.quotaAtApi].filter((budget) => budget !== null);
  return [
    ...placesOf(entries, own),
    ...quotas.map((budget) => ({ budget, endpoint: null, except: [] })),
  ];
}

/** The id of the limit that a budget counts for; keys with limits of their own share a space. */
export const limitId = ({ space, limit: { rate, perUs } }: Budget): string =>
  `${space} ${rate}/${perUs}`;

function add(
  limits: Map<string, Collected>,
  { budget, endpoint, except }: PlacedBudget,
  { definition }: ApiRules,
  client: string | null,
): void {
  const { scope, limit } = budget;
  const { rate, perUs, smoothing } = limit;
  const id = limitId(budget);
  let wanted = limits.get(id);
  if (wanted === undefined) {
    wanted = {
      id,
      scope,
      rate,
      perUs,
      isSmoothed: smoothing !== null,
      isForAll: isForAll(budget),
      paths: [],
      endpoint,
      except,
      credentials: [],
    };
    limits.set(id, wanted);
  }
  if (!wanted.paths.includes(definition.listenPath)) wanted.paths.push(definition.listenPath);
  if (client !== null && !wanted.credentials.includes(client)) wanted.credentials.push(client);
}
