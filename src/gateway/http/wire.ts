// The limits of connections to clients and upstreams: sizes, times, and trusted proxies.
import { micros, SECOND, type Micros } from "../../kit/units.ts";
import type { Underscores } from "./end-to-end.ts";

/** The HTTP client for requests to upstreams. */
type UpstreamClient = "undici" | "weir";

export interface Wire {
  readonly maxHeaderBytes: number; // headers of a request and its first line; above: 431
  readonly maxHeaders: number; // number of header lines; above: 431
  readonly maxBodyBytes: number; // body of a request; above: 413
  readonly requestHeadersTimeoutUs: Micros; // until the headers of a request have arrived; later: 408
  readonly requestTimeoutUs: Micros; // until the request's body has arrived too; later: 408
  readonly keepAliveTimeoutUs: Micros; // a client's connection is closed after this time without a request
  readonly upstreamClient: UpstreamClient;
  readonly connectTimeoutUs: Micros; // to an upstream; later: 504
  readonly responseTimeoutUs: Micros; // until the upstream's headers have arrived; later: 504
  readonly responseIdleTimeoutUs: Micros; // between two pieces of the upstream's body; later: the response breaks off
  readonly exchangeTimeoutUs: Micros; // until the response ends; later: 408 if the body is missing, else 504
  readonly drainTimeoutUs: Micros; // after `drain`; later: running requests are broken off
  readonly upstreamConnections: number | null; // to one origin at the same time; null: as many as needed
  readonly connectionsPerAddress: number | null; // null: unlimited, as in the next fields
  readonly requestsPerAddress: number | null; // in flight at the same time
  readonly requestsInFlight: number | null; // in flight, of all clients
  readonly unknownKeys: number | null; // of one address in a minute
  readonly healthPath: string | null; // null: upstreams are not checked
  readonly healthIntervalUs: Micros;
  readonly healthTimeoutUs: Micros;
  readonly circuitFailures: number | null; // failures in a row that open a circuit; null: none opens
  readonly circuitOpenUs: Micros;
  readonly retries: boolean;
  /** Addresses or networks (10.0.0.0/8) whose X-Forwarded-* headers are used and forwarded. */
  readonly trustedProxies: readonly string[];
  readonly underscores: Underscores; // in names of request headers
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
