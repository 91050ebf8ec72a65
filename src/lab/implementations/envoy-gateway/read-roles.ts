// Which fields of Envoy Gateway's resources cannot change a limit, and which might.
import type { ReadRole } from "../reading.ts";
import { IRRELEVANT, misunderstood, READ, UNKNOWN_FIELD } from "../roles.ts";

/** Fields of a BackendTrafficPolicy that limit no requests. */
const HARMLESS =
  /^(?:loadBalancer|retry|proxyProtocol|tcpKeepalive|healthCheck|timeout|connection|dns|http2|useClientProtocol|compression|compressor|responseOverride|httpUpgrade|requestBuffer|telemetry|routingType|endpointOverride)$/;

const CONSEQUENCES: Readonly<Record<string, string>> = {
  circuitBreaker:
    "it limits connections and requests at the same time, which this reader does not read",
  faultInjection: "it aborts requests, which this reader does not read",
  admissionControl: "it rejects requests by their success rate, which this reader does not read",
  bandwidthLimit: "it limits bytes, which this reader does not read",
};

export function roleOfField(kind: string, path: string): ReadRole {
  if (kind === "EnvoyPatchPolicy" && path === "spec")
    return misunderstood("it changes Envoy's configuration, and may add or remove limits");
  if (kind !== "BackendTrafficPolicy") return IRRELEVANT;
  const [top, field = "", ...inner] = path.split(".");
  if (top !== "spec" || field === "" || HARMLESS.test(field)) return IRRELEVANT;
  const consequence = CONSEQUENCES[field];
  if (consequence !== undefined) return misunderstood(consequence);
  if (field === "rateLimit" && /^(?:|local|global|xRateLimitHeaders)$/.test(inner.at(-1) ?? ""))
    return inner.at(-1) === "xRateLimitHeaders" ? IRRELEVANT : READ;
  return UNKNOWN_FIELD;
}
