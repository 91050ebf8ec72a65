// Connections to a store of Redis' kind. Nothing waits for one that is not there: what is asked meanwhile
// fails at once (ALG-C8), and nothing is sent twice, because it may have been counted the first time.
import { Cluster, Redis } from "ioredis";
import type { RedisAddress } from "./redis-address.ts";

/** What TLS needs beyond the address; texts, not files. */
export interface RedisTls {
  readonly ca?: string;
  readonly cert?: string;
  readonly key?: string;
  readonly servername?: string;
  readonly verify?: boolean; // false: whoever answers is believed
}

export type RedisConnection = Redis | Cluster;

const CONNECT_MS = 2_000;
const SILENT_MS = 5_000; // with something under way: nobody is there any more
const GOODBYE_MS = 100; // for what was said last; then a connection is closed from here
const FIRST_RETRY_MS = 50;
const LAST_RETRY_MS = 500; // once it is back, everybody is soon

/** Doubling, and never all gateways at one time. */
const retryMs = (times: number): number =>
  Math.min(LAST_RETRY_MS, FIRST_RETRY_MS * 2 ** Math.min(times - 1, 10)) *
  (0.75 + Math.random() / 4);

/** Opens no connection before `connect` is called. `onError`: what happens to it, as often as it happens. */
export function redisConnection(
  address: RedisAddress,
  tls: RedisTls,
  onError: (error: Error) => void,
): RedisConnection {
  const connection = address.kind === "cluster" ? split(address, tls) : whole(address, tls);
  connection.on("error", onError);
  return kept(connection);
}

/** One more to the same place. */
export function connectionLike(one: RedisConnection, onError: () => void): RedisConnection {
  const other = one instanceof Cluster ? one.duplicate() : one.duplicate();
  other.on("error", onError);
  return kept(other);
}

const dropped = new WeakSet<RedisConnection>();

/** For good; whatever else ends a connection is tried again. */
export function dropConnection(connection: RedisConnection): void {
  dropped.add(connection);
  connection.disconnect();
}

/** A failover in the middle of an attempt to connect would else be its last one. */
function kept<Connection extends RedisConnection>(connection: Connection): Connection {
  const again = (): void => {
    if (!dropped.has(connection) && connection.status === "end")
      connection.connect().catch(() => {}); // which ends it again, and is told as an error
  };
  connection.on("end", () => setTimeout(again, FIRST_RETRY_MS).unref());
  return connection;
}

const always = (address: RedisAddress, tls: RedisTls) => ({
  protocol: 2 as const,
  connectTimeout: CONNECT_MS,
  disconnectTimeout: GOODBYE_MS,
  socketTimeout: SILENT_MS,
  autoResendUnfulfilledCommands: false,
  maxRetriesPerRequest: 0,
  // A primary that has become a replica: somebody else is the primary now.
  reconnectOnError: (error: Error) => error.message.startsWith("READONLY"),
  ...(address.username === null ? {} : { username: address.username }),
  ...(address.password === null ? {} : { password: address.password }),
  ...(address.tls ? { tls: tlsOptions(tls) } : {}),
});

function whole(address: RedisAddress, tls: RedisTls): Redis {
  const { places, password } = address;
  const shared = {
    ...always(address, tls),
    db: address.db,
    lazyConnect: true,
    enableOfflineQueue: false,
    retryStrategy: retryMs,
  };
  if (address.kind === "single") return new Redis({ ...shared, ...places[0]! });
  return new Redis({
    ...shared,
    sentinels: [...places],
    name: address.group,
    enableTLSForSentinelMode: address.tls,
    ...(address.tls ? { sentinelTLS: tlsOptions(tls) } : {}),
    ...(password === null ? {} : { sentinelPassword: password }),
    sentinelRetryStrategy: retryMs,
    failoverDetector: true,
  });
}

const split = (address: RedisAddress, tls: RedisTls): Cluster =>
  new Cluster([...address.places], {
    lazyConnect: true,
    enableOfflineQueue: false,
    clusterRetryStrategy: retryMs,
    retryDelayOnFailover: 0,
    retryDelayOnClusterDown: 0,
    redisOptions: always(address, tls),
  });

const tlsOptions = ({ verify = true, ...more }: RedisTls) => ({
  ...more,
  rejectUnauthorized: verify,
});
