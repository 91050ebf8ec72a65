// Random configurations of Spring Cloud Gateway, and requests that meet each of their parts.
import type { Rng } from "../../kit/chance/rng.ts";
import { isFailure } from "../../kit/reading/failure.ts";
import type { JsonMap } from "../../kit/reading/shape.ts";
import { SPRING_CLOUD_GATEWAY_READER } from "../../lab/implementations/spring-cloud-gateway/read.ts";
import { translate } from "../../lab/implementations/spring-cloud-gateway/translate.ts";
import type { Configured, Site } from "../../lab/implementations/translation.ts";
import { chance, drawTimes, drawUnderstood, pick } from "./draw-parts.ts";
import type {
  ConfigurationProgram,
  DrawnConfiguration,
  DrawnRequest,
} from "./drawn-configuration.ts";

export const SPRING_CONFIGURATIONS: ConfigurationProgram = {
  reader: SPRING_CLOUD_GATEWAY_READER,
  draw: (seed) => drawUnderstood(seed, SPRING_CLOUD_GATEWAY_READER, drawSpring),
  decisions: { refusals: [403, 429, 500, 503] },
};

const MARGIN_US = 2_000;

const PREDICATES: readonly (string | JsonMap)[] = [
  "Path=/api/**",
  "Path=/api/{id}",
  "Path=/login,/static/**",
  "Path=/login/",
  "Path=/static/*.css",
  "Path=/{first:[a-z]+}/**",
  { name: "Path", args: { patterns: "/api/**" } },
  { name: "Path", args: { _genkey_0: "/login", _genkey_1: "/api/v?/users" } },
  "Method=GET",
  "Method=POST,HEAD",
  "Host=first.test",
  "Host=**.second.test",
  "Host=*.test,api.**",
  "Header=X-Plan",
  "Header=X-Plan, g\\w+",
  { name: "Header", args: { header: "X-Plan", regexp: "(?i)gold" } },
  "Query=user",
  "Query=user, a",
  { name: "Query", args: { param: "x" } },
  "Cookie=sid, a|b",
  "RemoteAddr=127.0.1.0/24",
  "RemoteAddr=127.0.1.1,127.0.2.0/24",
];

const OTHER_FILTERS = [
  "AddRequestHeader=X-Seen, yes",
  "StripPrefix=1",
  "RemoveRequestHeader=Cookie",
  "SetResponseHeader=X-Answer, 1",
  "AddResponseHeader=X-Answer, 1",
  "RedirectTo=302, http://elsewhere.test/",
  "PrefixPath=/before",
] as const;

/** The beans of App.java, and what they read. */
const RESOLVERS = {
  byAddress: "remote_address",
  byNothing: "all",
  byCredential: "header:authorization",
};

function drawLimit(random: Rng): JsonMap {
  const tokens = chance(random, 0.4) ? 1 + random.int(3) : 1;
  const resolver = pick(random, [...Object.keys(RESOLVERS), null]);
  const rates = {
    replenishRate: 1 + random.int(4),
    burstCapacity: tokens * (1 + random.int(8)) + (chance(random, 0.3) ? random.int(tokens) : 0),
    ...(tokens > 1 || chance(random, 0.3) ? { requestedTokens: tokens } : {}),
  };
  const kebab = Object.entries(rates).map(([name, value]): [string, number] => [
    name.replaceAll(/[A-Z]/g, (sign) => `-${sign.toLowerCase()}`),
    value,
  ]);
  const written = pick(random, [
    () => addPrefix(Object.entries(rates)),
    () => addPrefix(kebab),
    () => ({ "redis-rate-limiter": rates }),
  ])();
  const key = pick(random, ["key-resolver", "keyResolver"]);
  return {
    name: "RequestRateLimiter",
    args: {
      ...written,
      ...(resolver === null ? {} : { [key]: `#{@${resolver}}` }),
      ...(chance(random, 0.3)
        ? { "status-code": pick(random, ["FORBIDDEN", "SERVICE_UNAVAILABLE", "TOO_MANY_REQUESTS"]) }
        : {}),
    },
  };
}

const addPrefix = (entries: readonly (readonly [string, number])[]): JsonMap =>
  Object.fromEntries(entries.map(([name, value]) => [`redis-rate-limiter.${name}`, value]));

function drawRoute(random: Rng, index: number): JsonMap {
  const predicates = Array.from({ length: 1 + random.int(2) }, () => pick(random, PREDICATES));
  const filters = [
    ...(chance(random, 0.3) ? [pick(random, OTHER_FILTERS)] : []),
    ...(chance(random, 0.8) ? [drawLimit(random)] : []),
    ...(chance(random, 0.3) ? [pick(random, OTHER_FILTERS)] : []),
  ];
  return {
    id: `route-${index}`,
    uri: "no://op", // answers by itself
    predicates,
    ...(filters.length === 0 ? {} : { filters }),
    ...(chance(random, 0.2) ? { order: random.int(4) - 1 } : {}),
  };
}

function configure(site: Site): Configured {
  const translation = translate({ apis: [], credentials: [], limits: [] }, site);
  if (isFailure(translation) || "cannot" in translation) throw new Error("no configuration");
  return translation;
}

function drawSpring(random: Rng): DrawnConfiguration {
  const routes = [
    ...Array.from({ length: 1 + random.int(3) }, (_, index) => drawRoute(random, index)),
    ...(chance(random, 0.8) ? [{ ...drawRoute(random, 9), predicates: ["Path=/**"] }] : []),
  ];
  const usual = [
    ...(chance(random, 0.2) ? [pick(random, OTHER_FILTERS)] : []),
    ...(chance(random, 0.2) ? [drawLimit(random)] : []),
  ];
  const gateway = { ...(usual.length === 0 ? {} : { "default-filters": usual }), routes };
  return {
    main: "application.yml",
    marginUs: MARGIN_US,
    requests: drawRequests(random),
    values: new Map(Object.entries({ ...RESOLVERS, key_resolver: RESOLVERS.byCredential })),
    startAt: (site) => ({ args: configure(site).args! }),
    filesAt: (site) => {
      const base = JSON.parse(configure(site).files["application.yml"]!, (name, value: unknown) =>
        name === "gateway" ? gateway : value,
      ) as unknown;
      return { "application.yml": JSON.stringify(base, null, 1) };
    },
  };
}

function drawRequests(random: Rng): readonly DrawnRequest[] {
  const kinds = Array.from({ length: 3 + random.int(5) }, () => ({
    address: pick(random, ["127.0.1.1", "127.0.1.2", "127.0.2.1"]),
    method: pick(random, ["GET", "GET", "GET", "HEAD", "POST"]),
    target: pick(random, [
      "/",
      "/login",
      "/login/",
      "/api",
      "/api/users?user=a",
      "/api/v2/users?user=b&x=1",
      "/static/x.css",
      "/Static/x.css",
    ]),
    headers: {
      host: pick(random, ["first.test", "api.second.test", "API.second.test:80"]),
      authorization: pick(random, ["one", "two"]),
      ...(chance(random, 0.6) ? { "x-plan": pick(random, ["free", "gold", "GOLD"]) } : {}),
      ...(chance(random, 0.3) ? { cookie: `other=1; sid=${pick(random, ["a", "b", "ab"])}` } : {}),
    },
  }));
  return drawTimes(random).map((atUs) => ({ atUs, ...pick(random, kinds) }));
}
