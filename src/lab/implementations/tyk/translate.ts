// Tyk: each API is a file, and each key is created through Tyk's own API once Tyk is ready. A variant is one of the
// four limiters that Tyk's configuration selects.
import {
  escape,
  onlyLimit,
  requirePlain,
  requireSeconds,
  requireWhole,
  secondsOf,
} from "../matching.ts";
import { limitOfKey, limitsOfAccess, limitsOfApi, requireOneOfKey } from "../placed-limits.ts";
import { describeLimit, type SetupRequest, type Site, type Translation } from "../translation.ts";
import type { WantedApi, WantedEndpoint, WantedLimit, WantedWorld } from "../wanted.ts";
import type { JsonMap } from "../../../kit/reading/shape.ts";

const SECRET = "weir-starts-this-gateway";
const ORGANISATION = "weir";

/** Tyk rejects shorter keys before it looks them up. */
const SHORTEST_KEY = 3;

/** Seconds from the start of the year 1 to 1970: Tyk's windows begin at multiples of the period since the year 1. */
const YEAR_ONE_S = 62_135_596_800;

const LIMITERS: Readonly<Record<string, JsonMap>> = {
  drl: {},
  "rolling-window": { enable_redis_rolling_limiter: true },
  sentinel: { enable_sentinel_rate_limiter: true },
  "fixed-window": { enable_fixed_window_rate_limiter: true },
};

export function translate(wanted: WantedWorld, site: Site): Translation {
  const { apis, credentials, limits } = wanted;
  const [first, ...rest] = [
    ...requireWhole("Tyk", limits),
    ...requirePlain("Tyk", limits),
    ...requireSeconds("Tyk", limits),
    ...limits
      .filter((limit) => site.variant === "fixed-window" && YEAR_ONE_S % secondsOf(limit) !== 0)
      .map((limit) => `windows of Tyk begin in the year 1, not in 1970: ${describeLimit(limit)}`),
    ...credentials
      .filter((credential) => credential.length < SHORTEST_KEY)
      .map((credential) => `Tyk has keys of at least ${SHORTEST_KEY} letters: ${credential}`),
    ...requireOneOfKey("Tyk", wanted),
    ...credentials.flatMap((credential) => findCountersOfTwo(credential, wanted)),
  ];
  if (first !== undefined) return { cannot: [first, ...rest] };
  const only = onlyLimit(wanted);
  return {
    files: {
      "tyk.conf": JSON.stringify(configOf(site), null, 1),
      ...Object.fromEntries(
        apis.map((api, index) => [
          `apis/${idOf(index)}.json`,
          JSON.stringify(apiOf(api, index, limits, site), null, 1),
        ]),
      ),
      // Templates of its error responses; Tyk does not start without them.
      "templates/error.json": '{"error": "{{.Message}}"}\n',
      "templates/error.xml": "<error>{{.Message}}</error>\n",
    },
    ...(only === null ? {} : { excerpt: excerptOf(only, site) }),
    setup: credentials.map((credential) => createKey(credential, wanted)),
    enforces: limits.map(({ id }) => id),
  };
}

const configOf = ({ port, dir, redis, variant }: Site): JsonMap => ({
  listen_address: "127.0.0.1",
  listen_port: port,
  secret: SECRET,
  template_path: `${dir}/templates`,
  app_path: `${dir}/apis`,
  use_db_app_configs: false,
  enable_analytics: false,
  allow_insecure_configs: true,
  hash_keys: false,
  rate_limit_response_headers: "rate_limits",
  http_server_options: { enable_strict_routes: true },
  storage: { type: "redis", host: redis!.host, port: redis!.port, database: 0 },
  ...LIMITERS[variant!],
});

/** JSON has no comments: fields of the API definition, and those of tyk.conf that select the limiter. */
const excerptOf = (limit: WantedLimit, { variant }: Site): Readonly<Record<string, string>> => {
  const files = {
    "fields-of-api.json": rateFieldsOf(limit),
    "fields-of-tyk.conf": LIMITERS[variant!]!,
  };
  return Object.fromEntries(
    Object.entries(files)
      .filter(([, fields]) => Object.keys(fields).length > 0)
      .map(([name, fields]) => [name, `${JSON.stringify(fields, null, 2)}\n`]),
  );
};

const rateFieldsOf = (limit: WantedLimit | null): JsonMap => ({
  disable_rate_limit: false,
  global_rate_limit: limit === null ? { disabled: true } : numbersOf(limit),
});

const idOf = (index: number): string => `api-${index}`;

/** A rate of -1 means no limit, and exempts the requests from other limits. */
const numbersOf = (limit: WantedLimit | null): JsonMap =>
  limit === null ? { rate: -1, per: 1 } : { rate: limit.rate, per: secondsOf(limit) };

/** A regular expression that matches the whole path within the API. */
const patternOf = ({ pieces }: WantedEndpoint): string =>
  `^${pieces.map(escape).join("([\\s\\S]*)")}$`;

function apiOf(
  { path, isKeyless }: WantedApi,
  index: number,
  limits: readonly WantedLimit[],
  { upstream }: Site,
): JsonMap {
  const { whole, endpoints } = limitsOfApi(limits, path);
  return {
    name: path,
    api_id: idOf(index),
    org_id: ORGANISATION,
    active: true,
    use_keyless: isKeyless,
    use_standard_auth: !isKeyless,
    auth: { auth_header_name: "Authorization" },
    ...rateFieldsOf(whole),
    proxy: {
      listen_path: path,
      target_url: `http://${upstream.host}:${upstream.port}`,
      strip_listen_path: false,
    },
    definition: { location: "header", key: "x-api-version" },
    version_data: {
      not_versioned: true,
      versions: {
        Default: {
          name: "Default",
          use_extended_paths: true,
          extended_paths: {
            rate_limit: endpoints.map(({ endpoint, limit }) => ({
              path: patternOf(endpoint),
              method: endpoint.method,
              disabled: false,
              ...numbersOf(limit),
            })),
          },
        },
      },
    },
  };
}

/** The request that creates a key. The key has access to every API, because the wanted world has only limits. */
function createKey(credential: string, { apis, limits }: WantedWorld): SetupRequest {
  const key = {
    org_id: ORGANISATION,
    ...numbersOf(limitOfKey(limits, credential)),
    quota_max: -1,
    access_rights: Object.fromEntries(
      apis.flatMap(({ path, isKeyless }, index) =>
        isKeyless ? [] : [[idOf(index), accessOf(credential, path, idOf(index), limits)]],
      ),
    ),
  };
  return {
    method: "POST",
    path: `/tyk/keys/${encodeURIComponent(credential)}`,
    headers: { "x-tyk-authorization": SECRET, "content-type": "application/json" },
    body: JSON.stringify(key),
  };
}

function accessOf(
  credential: string,
  path: string,
  id: string,
  limits: readonly WantedLimit[],
): JsonMap {
  const { whole, isOwn, endpoints } = limitsOfAccess(limits, credential, path);
  return {
    api_id: id,
    api_name: path,
    versions: ["Default"],
    ...(isOwn || whole === null ? { limit: { ...numbersOf(whole), quota_max: -1 } } : {}),
    endpoints: endpoints.map(({ endpoint, limit }) => ({
      path: patternOf(endpoint),
      methods: [{ name: endpoint.method, limit: numbersOf(limit) }],
    })),
  };
}

/** Reports endpoints of two APIs that Tyk counts together, as it does unless the key has a limit at each API. */
function findCountersOfTwo(credential: string, { apis, limits }: WantedWorld): readonly string[] {
  const shared = apis
    .map(({ path }) => limitsOfAccess(limits, credential, path))
    .filter(({ whole, isOwn }) => !isOwn && whole !== null)
    .flatMap(({ endpoints }) =>
      endpoints.flatMap(({ endpoint, limit }) =>
        limit === null ? [] : [`${endpoint.method} ${patternOf(endpoint)}`],
      ),
    );
  const twice = shared.find((name, index) => shared.indexOf(name) !== index);
  return twice === undefined
    ? []
    : [
        `Tyk counts the same endpoint of two APIs together for a key, here ${twice} for ${JSON.stringify(credential)}`,
      ];
}
