/**
 * Programs that usually count in a store of all instances, and services that are one. All others usually count on each
 * instance. A rule may differ by its file.
 */
const SHARED: ReadonlySet<string> = new Set([
  "envoy-ratelimit", // in Redis
  "spring-cloud-gateway", // in Redis
  "tyk", // in Redis, or each gateway has its share of the limit
  "kuadrant", // in Limitador
  "aws-api-gateway",
  "cloudflare",
  "limit", // a limit without a program is the limit of the whole fleet
  "world", // Weir counts in Redis if there are several gateways
]);

/** `kind` is a program, `limit` or `world`. */
export const usuallyShares = (kind: string): boolean => SHARED.has(kind);
