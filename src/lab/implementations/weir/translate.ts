// Weir's own gateway: a world file with the same limits, and the settings of a process that serves it from that file.
import { limitOfKey, limitsOfAccess, limitsOfApi, requireOneOfKey } from "../placed-limits.ts";
import { describeLimit, type Site, type Translation } from "../translation.ts";
import type { WantedApi, WantedEndpoint, WantedLimit, WantedWorld } from "../wanted.ts";
import type { JsonMap } from "../../../kit/reading/shape.ts";

export function translate(wanted: WantedWorld, site: Site): Translation {
  const { apis, limits } = wanted;
  const [first, ...rest] = [
    ...limits
      .filter(({ scope }) => scope.startsWith("quota"))
      .map((limit) => `Weir refuses by a quota with 403, not with 429: ${describeLimit(limit)}`),
    ...burstProblems(limits, site),
    ...apis.flatMap((api) => identityProblems(api, limits)),
    ...requireOneOfKey("Weir", wanted),
  ];
  if (first !== undefined) return { cannot: [first, ...rest] };
  return {
    files: {
      "weir.yaml": JSON.stringify(settingsOf(site), null, 1),
      "world.yaml": JSON.stringify(worldOf(wanted, site), null, 1),
    },
    enforces: limits.map(({ id }) => id),
  };
}

/** With records off, the gateway reads the world from its file, again at each reload. */
const settingsOf = ({ port, spare, upstream, dir }: Site): JsonMap => ({
  world: `${dir}/world.yaml`,
  records: "off",
  data: `${dir}/data`,
  upstream: `http://${upstream.host}:${upstream.port}`,
  listen: { host: "127.0.0.1", port },
  admin: { host: "127.0.0.1", port: spare[0] },
});

function worldOf(
  { apis, credentials, limits }: WantedWorld,
  { variant, generation }: Site,
): JsonMap {
  const burst = burstIn(limits);
  return {
    apis: {
      // The path shows which generation of the world is effective.
      "weir-ready": { listen: `/weir-ready/${generation}`, keyless: true },
      ...Object.fromEntries(apis.map((api) => [api.path, apiOf(api, limits)])),
    },
    keys: Object.fromEntries(
      credentials.map((credential) => [credential, keyOf(credential, apis, limits)]),
    ),
    gateway: {
      algorithm: variant,
      cost_header: "weir-cost",
      ...(variant === "gcra" && burst !== null ? { burst } : {}),
    },
  };
}

const numbersOf = (limit: WantedLimit | null): JsonMap =>
  limit === null ? { rate: -1 } : { rate: limit.rate, per: `${limit.perUs}us` };

const patternOf = ({ pieces }: WantedEndpoint): string => pieces.join("*");

function apiOf(api: WantedApi, limits: readonly WantedLimit[]): JsonMap {
  const { whole, endpoints } = limitsOfApi(limits, api.path);
  const keyBy = identitiesAt(api, limits)[0];
  return {
    listen: api.path,
    keyless: api.isKeyless,
    ...(keyBy === undefined ? {} : { key_by: keyBy }),
    ...(whole === null ? {} : numbersOf(whole)),
    endpoints: endpoints.map(({ endpoint, limit }) => ({
      path: patternOf(endpoint),
      method: endpoint.method,
      ...numbersOf(limit),
    })),
  };
}

/** A key with access to every API: the wanted world has only limits, and no access rights. */
function keyOf(
  credential: string,
  apis: readonly WantedApi[],
  limits: readonly WantedLimit[],
): JsonMap {
  return {
    ...numbersOf(limitOfKey(limits, credential)),
    access_rights: Object.fromEntries(
      apis
        .filter(({ isKeyless }) => !isKeyless)
        .map(({ path }) => [path, accessOf(credential, path, limits)]),
    ),
  };
}

function accessOf(credential: string, path: string, limits: readonly WantedLimit[]): JsonMap {
  const { whole, isOwn, endpoints } = limitsOfAccess(limits, credential, path);
  return {
    ...(isOwn || whole === null ? { limit: numbersOf(whole) } : {}),
    endpoints: endpoints.map(({ endpoint, limit }) => ({
      path: patternOf(endpoint),
      methods: [{ name: endpoint.method, limit: numbersOf(limit) }],
    })),
  };
}

// ---------------------------------------------------------------- what it cannot express

/** The properties by which limits identify clients of an API; limits that count all clients together have none. */
const identitiesAt = (
  { path }: WantedApi,
  limits: readonly WantedLimit[],
): readonly WantedLimit["by"][] => [
  ...new Map(
    limits
      .filter(({ isForAll, places }) => !isForAll && places.some((place) => place.path === path))
      .map(({ by }) => [JSON.stringify(by), by]),
  ).values(),
];

function identityProblems(api: WantedApi, limits: readonly WantedLimit[]): readonly string[] {
  const identities = identitiesAt(api, limits).map((by) => JSON.stringify(by));
  return identities.length < 2
    ? []
    : [
        `Weir counts all clients of an API by one property, and ${api.path} has limits by ${identities.join(" and ")}`,
      ];
}

/** The common burst of all limits: `rate`, or one number. Null if limits have different bursts. */
function burstIn(limits: readonly WantedLimit[]): number | "rate" | null {
  if (limits.every(({ rate, burst }) => burst === Math.floor(rate))) return "rate";
  const bursts = new Set(limits.map(({ burst }) => burst));
  return bursts.size === 1 ? [...bursts][0]! : null;
}

function burstProblems(limits: readonly WantedLimit[], { variant }: Site): readonly string[] {
  const burst = burstIn(limits);
  if (burst === "rate" || (variant === "gcra" && burst !== null)) return [];
  return [
    variant === "gcra"
      ? `Weir has one burst for all limits: ${limits.map((limit) => `${limit.burst} of ${describeLimit(limit)}`).join(", ")}`
      : `Weir has a burst with gcra alone, and this is ${variant}`,
  ];
}
