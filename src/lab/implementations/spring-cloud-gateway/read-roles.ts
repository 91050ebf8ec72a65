// Which fields and filters of Spring Cloud Gateway cannot change a limit, and which might.
import type { ReadRole } from "../reading.ts";
import { IRRELEVANT, misunderstood, UNKNOWN_STEP } from "../roles.ts";

/** Filters that change a request on its way or its response, but do not limit it. */
const FILTERS =
  /^(?:(?:Add|Set|Remove|Map|Rewrite|Dedupe|Preserve|Secure|Modify|Cache|Fallback|Request)\w*|RedirectTo|StripPrefix|PrefixPath|CircuitBreaker|Hystrix|Retry|SaveSession|TokenRelay|LocalResponseCache|JsonToGrpc|SpringCloudCircuitBreaker\w*)$/;

export function roleOfFilter(name: string): ReadRole {
  return FILTERS.test(name) ? IRRELEVANT : UNKNOWN_STEP;
}

const OF_GATEWAY =
  /^(?:enabled|httpclient|httpserver|globalcors|metrics|observability|forwarded|x-forwarded|loadbalancer|handler-mapping|set-status|streaming-media-types|fail-on-route-definition-error|discovery|route-refresh-listener|redis-rate-limiter|redis-route-definition-repository|secure-headers|trusted-proxies|restrictive-property-accessor|actuator|predicate|global-filter|route-filter-cache-enabled)(?:\.|$)/;

const LIMITERS =
  /(?:^|\.)(?:resilience4j|bucket4j|sentinel|ratelimiter|rate-limit(?:er|ing)?)(?:\.|$)/i;

export function roleOfField(path: string): ReadRole {
  const [, inside] = /^spring\.cloud\.gateway\.(?:server\.webflux\.)?(.+)$/.exec(path) ?? [];
  if (inside === undefined || inside === "server" || inside === "server.webflux")
    return LIMITERS.test(path) && inside === undefined
      ? misunderstood("it may limit requests too, and this reader does not read it")
      : IRRELEVANT;
  if (inside === "discovery.locator.enabled")
    return misunderstood("routes come from a registry too, with the default filters");
  return OF_GATEWAY.test(inside) || /^routes\.(?:id|uri|order|metadata)/.test(inside)
    ? IRRELEVANT
    : UNKNOWN_STEP;
}
