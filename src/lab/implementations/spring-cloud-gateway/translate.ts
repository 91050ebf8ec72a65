// Spring Cloud Gateway: each limit is a route of its own with the filter RequestRateLimiter. For a limit per
// several seconds, as its documentation describes, a request takes as many tokens as the period has seconds.
import { blockYaml } from "../block-yaml.ts";
import {
  limitWords,
  onlyLimit,
  patternsOf,
  requirePlain,
  requireSeconds,
  requireWhole,
  secondsOf,
} from "../matching.ts";
import { describeLimit, type Site, type Translation } from "../translation.ts";
import type { WantedLimit, WantedWorld } from "../wanted.ts";
import type { JsonMap } from "../../../kit/reading/shape.ts";

const NAME = "Spring Cloud Gateway";
const LARGEST = 2_147_483_647;

export function translate(world: WantedWorld, site: Site): Translation {
  const { limits } = world;
  const [first, ...rest] = [
    ...requireWhole(NAME, limits),
    ...requirePlain(NAME, limits),
    ...requireSeconds(NAME, limits),
    ...limits
      .filter((limit) => Math.max(limit.rate, capacityOf(limit)) > LARGEST)
      .map((limit) => `${NAME} counts up to ${LARGEST} tokens: ${describeLimit(limit)}`),
  ];
  if (first !== undefined) return { cannot: [first, ...rest] };
  const only = onlyLimit(world);
  return {
    // Written as JSON, which is valid YAML.
    files: { "application.yml": JSON.stringify(configOf(world, site), null, 1) },
    ...(only === null ? {} : { excerpt: { "filter.yml": excerptOf(only) } }),
    args: [`--spring.config.location=file:${site.dir}/application.yml`],
    enforces: limits.map(({ id }) => id),
  };
}

const capacityOf = (limit: WantedLimit): number => limit.burst * secondsOf(limit);

const configOf = (world: WantedWorld, { port, upstream, redis, generation }: Site): JsonMap => ({
  server: { address: "127.0.0.1", port },
  weir: { generation },
  logging: { level: { root: "ERROR" } },
  spring: {
    main: { "banner-mode": "off" },
    data: { redis: { host: redis!.host, port: redis!.port } },
    cloud: {
      gateway: {
        routes: [
          ...world.limits.map((limit, index) => ({
            ...routeTo(upstream, `limit-${index}`),
            predicates: [{ name: "Counts", args: { pattern: predicatePattern(limit, world) } }],
            filters: [filterOf(limit)],
          })),
          { ...routeTo(upstream, "unlimited"), predicates: ["Path=/**"] },
        ],
      },
    },
  },
});

const routeTo = ({ host, port }: Site["upstream"], id: string): JsonMap => ({
  id,
  uri: `http://${host}:${port}`,
});

/** Requests outside all places would use the route without a limit, so the first limit matches them too. */
function predicatePattern(limit: WantedLimit, world: WantedWorld): string {
  const patterns = patternsOf(limit, world);
  if (patterns === null) return ANYTHING;
  const { counted, others } = patterns;
  const ofNoPlace = others === null ? [] : [`(?!${others.join("|")})${ANYTHING}`];
  return [...counted, ...ofNoPlace].join("|");
}

const ANYTHING = "[\\s\\S]*";

const filterOf = (limit: WantedLimit): JsonMap => ({
  name: "RequestRateLimiter",
  args: {
    "redis-rate-limiter.replenishRate": limit.rate,
    "redis-rate-limiter.burstCapacity": capacityOf(limit),
    "redis-rate-limiter.requestedTokens": secondsOf(limit),
    "key-resolver": `#{@${resolverOf(limit)}}`,
  },
});

function excerptOf(limit: WantedLimit): string {
  // As in App.java.
  const client = limit.isForAll
    ? '"all"'
    : "exchange.getRequest().getRemoteAddress().getAddress().getHostAddress()";
  return `# ${limitWords(limit)}, ${limit.burst} at once. A request takes ${secondsOf(limit)} tokens, and the bucket holds ${capacityOf(limit)}.

# In application.yml, in the route of your API (spring.cloud.gateway.routes). Each route counts alone, in Redis.
${blockYaml({ filters: [filterOf(limit)] })}
# The bean that key-resolver names:
#   @Bean KeyResolver ${resolverOf(limit)}() {
#     return exchange -> Mono.just(${client});
#   }
`;
}

function resolverOf({ isForAll, by }: WantedLimit): string {
  if (isForAll) return "byNothing";
  return by === "credential" ? "byCredential" : "byAddress";
}
