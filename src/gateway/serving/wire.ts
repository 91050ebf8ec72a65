import type { Wire } from "../http/wire.ts";
import type { Settings } from "../settings/table.ts";

/** The settings of the gateway's connections. */
export const wireOf = (settings: Settings): Wire => ({
  maxHeaderBytes: settings["limits.header_bytes"],
  maxHeaders: settings["limits.headers"],
  maxBodyBytes: settings["limits.body_bytes"],
  requestHeadersTimeoutUs: settings["timeouts.request_headers"],
  requestTimeoutUs: settings["timeouts.request"],
  keepAliveTimeoutUs: settings["timeouts.keep_alive"],
  upstreamClient: settings.upstream_client,
  connectTimeoutUs: settings["timeouts.connect"],
  responseTimeoutUs: settings["timeouts.response"],
  responseIdleTimeoutUs: settings["timeouts.response_idle"],
  exchangeTimeoutUs: settings["timeouts.exchange"],
  drainTimeoutUs: settings.drain,
  upstreamConnections: settings["limits.upstream_connections"],
  connectionsPerAddress: settings["limits.connections_per_address"],
  requestsPerAddress: settings["limits.requests_per_address"],
  requestsInFlight: settings["limits.requests_in_flight"],
  unknownKeys: settings["limits.unknown_keys"],
  healthPath: settings["health.path"],
  healthIntervalUs: settings["health.interval"],
  healthTimeoutUs: settings["health.timeout"],
  circuitFailures: settings["circuit.failures"],
  circuitOpenUs: settings["circuit.open"],
  retries: settings.retries,
  trustedProxies: settings.trusted_proxies,
  underscores: settings["headers.underscores"],
});
