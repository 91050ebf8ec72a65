// The rules of Tyk: the limit of a key is spent before its quota, and both before the limit of the API.
import { micros, SECOND } from "../../../kit/units.ts";
import type { ReadRule, RequestFacts } from "../reading.ts";
import { findOnce, nameApart } from "../rule-parts.ts";
import type { Source } from "../sources.ts";
import { apiAt, type TykApi } from "./read-apis.ts";
import type { TykContext, TykEndpoint, TykLimit } from "./read-limits.ts";
import { ALGORITHMS, COUNTED_QUOTA, type TykOptions } from "./read-options.ts";
import type { TykGrant, TykSession } from "./read-sessions.ts";

export interface TykWorld {
  readonly apis: readonly TykApi[];
  readonly sessionAt: (client: string) => TykSession | null;
  readonly sessions: readonly TykSession[]; // all that `sessionAt` returns
  readonly clientOf: Source;
  readonly options: TykOptions;
}

/** A limit with the counters in which it counts. */
interface TykLevel {
  readonly rank: 0 | 1 | 2; // a key's rate, its quota, the API's rate
  readonly id: string;
  readonly counters: string;
  readonly limit: TykLimit;
}

const nameOfLevel = ({ rank, counters, limit }: TykLevel): string =>
  [rank, counters, limit.file, limit.node.line, limit.rate, limit.per, limit.quotaMax].join("|");

export function rulesOf(world: TykWorld, context: TykContext): readonly ReadRule[] {
  const { apis, sessions, sessionAt, clientOf } = world;
  const levels = new Map<string, TykLevel>();
  for (const api of apis)
    for (const level of [...levelsOfApi(api), ...sessions.flatMap((each) => levelsOf(each, api))])
      levels.set(nameOfLevel(level), level);
  const placeOf = apiAt(apis);
  const levelsAt = findOnce((request: RequestFacts) => {
    const place = placeOf(request);
    const met = new Map<string, string>();
    if (place === null) return met;
    const { api, path } = place;
    if (api.isRejected(request.method, path)) return met;
    const needsKey = !api.isKeyless && !api.isIgnored(request.method, path);
    const client = needsKey ? clientOf(request) : null;
    const session = client === null ? null : sessionAt(client);
    const ofKey = session === null ? [] : levelsAtKey(session, api, request.method, path);
    const ofApi = levelAtApi(api, request.method, path);
    const counted = session?.pattern?.(request, api.hasContext) || client!;
    for (const level of ofKey) met.set(nameOfLevel(level), counted);
    if (ofApi !== null) met.set(nameOfLevel(ofApi), "");
    return met;
  });
  const ordered = [...levels].toSorted(([, a], [, b]) => a.rank - b.rank);
  return nameApart(
    ordered.flatMap(([name, level]) => {
      const counted = resolveCounting(level, world, context);
      if (counted === null) return [];
      const { limit } = level;
      return [
        {
          ...counted,
          id: level.id,
          file: limit.file,
          line: limit.node.line,
          // Counters of other numbers are others, because a bucket has one size.
          counters: `${level.counters} ${counted.limit.rate}/${counted.limit.perUs}`,
          budgetOf: (request) => levelsAt(request).get(name) ?? null,
          isDryRun: false,
        },
      ];
    }),
  );
}

const isLimit = ({ rate, per }: TykLimit): boolean => rate > 0 && per > 0;

function levelsOfApi(api: TykApi): readonly TykLevel[] {
  if (!api.isActive || !api.hasLimits) return [];
  const ofEndpoints = api.endpoints.flatMap((endpoint) => levelOfEndpoint(api, endpoint) ?? []);
  const whole = levelOfApi(api);
  return whole === null ? ofEndpoints : [...ofEndpoints, whole];
}

const levelOfApi = (api: TykApi): TykLevel | null =>
  api.whole === null || !isLimit(api.whole)
    ? null
    : { rank: 2, id: `API ${api.name}`, counters: `api ${api.id}`, limit: api.whole };

function levelOfEndpoint(
  api: TykApi,
  { method, path, limit, isDisabled }: TykEndpoint,
): TykLevel | null {
  if (isDisabled || !isLimit(limit)) return null;
  const place = `${method} ${path}`;
  return { rank: 2, id: `API ${api.name}: ${place}`, counters: `api ${api.id} ${place}`, limit };
}

/** The first entry that matches decides; one that is disabled or without numbers leaves it to the limit of the API. */
function levelAtApi(api: TykApi, method: string, path: string): TykLevel | null {
  if (!api.hasLimits) return null;
  const entry = api.endpoints.find((each) => each.method === method && each.test(path));
  const isValid =
    entry !== undefined && !entry.isDisabled && entry.limit.rate !== 0 && entry.limit.per > 0;
  return isValid ? levelOfEndpoint(api, entry) : levelOfApi(api);
}

const grantOf = (session: TykSession, api: TykApi): TykGrant | null =>
  session.grants.get(api.id) ?? session.grants.get(api.name) ?? null;

/** Every level of a session at an API. */
function levelsOf(session: TykSession, api: TykApi): readonly TykLevel[] {
  const grant = grantOf(session, api);
  if (grant === null || api.isKeyless || !api.isActive) return [];
  const ofEndpoints = api.hasLimits
    ? grant.endpoints.flatMap((each) => levelOfKeyEndpoint(session, grant, each) ?? [])
    : [];
  return [...ofEndpoints, ...levelsOfWhole(session, grant, api)];
}

function levelsOfWhole(session: TykSession, grant: TykGrant, api: TykApi): readonly TykLevel[] {
  const { limit, quota, scope } = grant;
  const place = scope === api.id || scope === api.name ? ` at API ${api.name}` : "";
  return [
    ...(limit === null || !isLimit(limit) || !api.hasLimits
      ? []
      : [{ rank: 0, id: session.name + place, counters: `key ${scope}`, limit } as const]),
    ...levelOfQuota(session, grant, api, quota, place),
  ];
}

const levelOfQuota = (
  session: TykSession,
  { scope }: TykGrant,
  api: TykApi,
  quota: TykLimit | null,
  place: string,
): readonly TykLevel[] =>
  quota === null || quota.quotaMax <= 0 || !api.hasQuotas
    ? []
    : [{ rank: 1, id: `${session.name}${place}, quota`, counters: `quota ${scope}`, limit: quota }];

function levelOfKeyEndpoint(
  session: TykSession,
  { scope }: TykGrant,
  { method, path, limit }: TykEndpoint,
): TykLevel | null {
  if (!isLimit(limit)) return null;
  const place = `${method} ${path}`;
  return { rank: 0, id: `${session.name}: ${place}`, counters: `key ${scope} ${place}`, limit };
}

/** Exactly one rate applies: that of the endpoint, of the API, or of the key. */
function levelsAtKey(
  session: TykSession,
  api: TykApi,
  method: string,
  path: string,
): readonly TykLevel[] {
  const grant = grantOf(session, api);
  if (grant === null) return [];
  const endpoint = api.hasLimits
    ? grant.endpoints.find((each) => each.method === method.toUpperCase() && each.test(path))
    : undefined;
  const whole = levelsOfWhole(session, grant, api);
  if (endpoint === undefined) return whole;
  const own = levelOfKeyEndpoint(session, grant, endpoint);
  return [...(own === null ? [] : [own]), ...whole.filter(({ rank }) => rank === 1)];
}

/** Seconds from the start of the year 1 to 1970, from which Tyk's windows of the clock count. */
const YEAR_ONE_S = 62_135_596_800;

const HUNDRED_YEARS_S = 3_155_760_000;

type Counted = Pick<ReadRule, "limit" | "options" | "status" | "written">;

/** How a level counts. Null: it limits nothing. */
function resolveCounting(
  { rank, limit }: TykLevel,
  { options }: TykWorld,
  { notes, problems }: TykContext,
): Counted | null {
  if (rank === 1) {
    const { quotaMax, renewal } = limit;
    const seconds = renewal > 0 ? renewal : HUNDRED_YEARS_S;
    return {
      limit: { rate: quotaMax, perUs: micros(seconds * SECOND) },
      ...(renewal > 0 ? {} : { written: `${quotaMax} in all` }),
      options: COUNTED_QUOTA,
      status: 403,
    };
  }
  const limiter = options.limiterOf(limit);
  const per = limiter === "fixed-window" ? limit.per : Math.trunc(limit.per);
  if (per === 0) {
    notes.note(limit.node, "read", "without effect, because its period is below a second");
    return null;
  }
  const rate = limiter === "drl" ? Math.max(1, Math.trunc(limit.rate)) : Math.trunc(limit.rate);
  if (rate === 0) {
    problems.push(
      `${limit.file}:${limit.node.line}: Tyk cuts the rate ${limit.rate} to 0, so that no request is admitted; write an integer`,
    );
    return null;
  }
  if (limiter === "fixed-window" && YEAR_ONE_S % per !== 0)
    notes.note(
      limit.node,
      "not understood",
      "windows of Tyk count from the year 1, and from 1970 here; they begin at other times",
    );
  const isSmoothed = limit.smoothing !== null && /^(?:rolling|sentinel)$/.test(limiter);
  if (limit.smoothing !== null && !isSmoothed)
    notes.note(limit.node, "read", `smoothing has no effect in the limiter ${limiter}`);
  return {
    limit: {
      rate,
      perUs: micros(Math.round(per * SECOND)),
      ...(isSmoothed ? { smoothing: limit.smoothing } : {}),
    },
    options: ALGORITHMS[limiter],
    status: 429,
  };
}
