// The limits of the gateway's connections, to clients and to upstreams: sizes, times, and trusted proxies.
import { micros, SECOND, type Micros } from "../../kit/units.ts";
import type { Underscores } from "./end-to-end.ts";

/** What sends requests to upstreams over HTTP. */
type UpstreamClient = "undici" | "weir";

export interface Wire {
  readonly maxHeaderBytes: number; // of a request, its first line included: more is 431
  readonly maxHeaders: number; // lines of them: more is 431
  readonly maxBodyBytes: number; // of a request: more is 413
  readonly requestHeadersTimeoutUs: Micros; // until the headers of a request are here: else 408
  readonly requestTimeoutUs: Micros; // until its body is here too: else 408
  readonly keepAliveTimeoutUs: Micros; // a connection of a client without a request is closed after it
  readonly upstreamClient: UpstreamClient;
  readonly connectTimeoutUs: Micros; // to the upstream: else 504
  readonly responseTimeoutUs: Micros; // until the headers of its answer are here: else 504
  readonly responseIdleTimeoutUs: Micros; // between two pieces of its body: else the answer breaks off
  readonly exchangeTimeoutUs: Micros; // from the request to the end of the answer: 408 without its body, else 504, or it breaks off
  readonly drainTimeoutUs: Micros; // requests that run longer after `drain` break off
  readonly upstreamConnections: number | null; // to one origin at a time; null: as many as are needed
  readonly connectionsPerAddress: number | null; // null, here and below: no limit
  readonly requestsPerAddress: number | null; // in flight
  readonly requestsInFlight: number | null; // of all clients
  readonly unknownKeys: number | null; // of one address a minute
  readonly healthPath: string | null; // null: upstreams are not checked
  readonly healthIntervalUs: Micros;
  readonly healthTimeoutUs: Micros;
  readonly circuitFailures: number | null; // in a row; null: no circuit opens
  readonly circuitOpenUs: Micros;
  readonly retries: boolean;
  /** Addresses, or networks such as 10.0.0.0/8, whose X-Forwarded-* headers count and are forwarded. */
  readonly trustedProxies: readonly string[];
  readonly underscores: Underscores; // in names of headers of a request
}

const seconds = (count: number): Micros => micros(count * SECOND);

export const DEFAULT_WIRE: Wire = {
  maxHeaderBytes: 16_384,
  maxHeaders: 100,
  maxBodyBytes: 64 * 1024 * 1024,
  requestHeadersTimeoutUs: seconds(10),
  requestTimeoutUs: seconds(300),
  keepAliveTimeoutUs: seconds(60),
  upstreamClient: "weir",
  connectTimeoutUs: seconds(5),
  responseTimeoutUs: seconds(30),
  responseIdleTimeoutUs: seconds(60),
  exchangeTimeoutUs: seconds(600),
  drainTimeoutUs: seconds(30),
  upstreamConnections: null,
  connectionsPerAddress: null,
  requestsPerAddress: null,
  requestsInFlight: null,
  unknownKeys: null,
  healthPath: null,
  healthIntervalUs: seconds(5),
  healthTimeoutUs: seconds(2),
  circuitFailures: null,
  circuitOpenUs: seconds(10),
  retries: true,
  trustedProxies: [],
  underscores: "drop",
};
