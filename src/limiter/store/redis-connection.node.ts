// Connections to a store of Redis' kind. No operation waits for a connection: without one it fails at once (ALG-C8).
// Nothing is sent twice, because the first command may have been counted.
import { Cluster, Redis } from "ioredis";
import type { RedisAddress } from "./redis-address.ts";

/** Options of TLS beyond the address; contents, not files. */
export interface RedisTls {
  readonly ca?: string;
  readonly cert?: string;
  readonly key?: string;
  readonly servername?: string;
  readonly verify?: boolean; // false: the server's certificate is not verified
}

export type RedisConnection = Redis | Cluster;

const CONNECT_MS = 2_000;
const SILENT_MS = 5_000; // with a pending command: the connection is lost
const GOODBYE_MS = 100; // for the last reply; then this side closes the connection
const FIRST_RETRY_MS = 50;
const LAST_RETRY_MS = 500; // so that all gateways are soon back after the store

/** Doubles, with jitter, so that gateways do not reconnect together. */
const retryMs = (times: number): number =>
  Math.min(LAST_RETRY_MS, FIRST_RETRY_MS * 2 ** Math.min(times - 1, 10)) *
  (0.75 + Math.random() / 4);

/** Opens no connection before `connect` is called. `onError` gets each error of the connection. */
export function redisConnection(
  address: RedisAddress,
  tls: RedisTls,
  onError: (error: Error) => void,
): RedisConnection {
  const connection =
    address.kind === "cluster" ? clusterConnection(address, tls) : serverConnection(address, tls);
  connection.on("error", onError);
  return keepConnected(connection);
}

/** ioredis ignores the result of its own subscriptions: one that fails, as with its connection, would end the process. */
const NO_SUBSCRIPTIONS_OF_ITS_OWN = { autoResubscribe: false };

/**
 * A second connection to the same address; of a cluster, to one of its nodes. To be connected once the first is ready. The
 * caller subscribes again each time it is ready.
 */
export function connectionLike(one: RedisConnection, onError: () => void): Redis {
  const other =
    one instanceof Cluster ? connectionToAnyNode(one) : one.duplicate(NO_SUBSCRIPTIONS_OF_ITS_OWN);
  other.on("error", onError);
  return keepConnected(other);
}

/**
 * Another node with each attempt. What ioredis has for subscriptions of a cluster attempts thousands of times a second
 * while every node refuses it, and keeps each of them.
 */
function connectionToAnyNode(cluster: Cluster): Redis {
  const chooseNode = (): void => {
    const nodes = cluster.nodes();
    const { host, port } = nodes[Math.floor(Math.random() * nodes.length)]?.options ?? {};
    if (port !== undefined) Object.assign(connection.options, { host, port });
  };
  const connection = new Redis({
    ...(cluster.options.redisOptions as Partial<ReturnType<typeof commonOptions>>),
    ...NO_SUBSCRIPTIONS_OF_ITS_OWN,
    protocol: 2,
    lazyConnect: true,
    enableOfflineQueue: false,
    retryStrategy: (times) => {
      chooseNode();
      return retryMs(times);
    },
  });
  if (cluster.status === "ready") chooseNode();
  else cluster.once("ready", chooseNode);
  return connection;
}

const dropped = new WeakSet<RedisConnection>();

/** For good; any other end of a connection leads to a new attempt. */
export function dropConnection(connection: RedisConnection): void {
  dropped.add(connection);
  connection.disconnect();
}

/** Without this, a failover during an attempt to connect would end all attempts. */
function keepConnected<Connection extends RedisConnection>(connection: Connection): Connection {
  const again = (): void => {
    if (!dropped.has(connection) && connection.status === "end")
      connection.connect().catch(() => {}); // a failure ends it again, and is emitted as an error
  };
  connection.on("end", () => setTimeout(again, FIRST_RETRY_MS).unref());
  return connection;
}

const commonOptions = (address: RedisAddress, tls: RedisTls) => ({
  protocol: 2 as const,
  connectTimeout: CONNECT_MS,
  disconnectTimeout: GOODBYE_MS,
  socketTimeout: SILENT_MS,
  autoResendUnfulfilledCommands: false,
  maxRetriesPerRequest: 0,
  // A primary that has become a replica: another server is the primary now.
  reconnectOnError: (error: Error) => error.message.startsWith("READONLY"),
  ...(address.username === null ? {} : { username: address.username }),
  ...(address.password === null ? {} : { password: address.password }),
  ...(address.tls ? { tls: tlsOptions(tls) } : {}),
});

function serverConnection(address: RedisAddress, tls: RedisTls): Redis {
  const { servers, password } = address;
  const shared = {
    ...commonOptions(address, tls),
    db: address.db,
    lazyConnect: true,
    enableOfflineQueue: false,
    retryStrategy: retryMs,
  };
  if (address.kind === "single") return new Redis({ ...shared, ...servers[0]! });
  return new Redis({
    ...shared,
    sentinels: [...servers],
    name: address.group,
    enableTLSForSentinelMode: address.tls,
    ...(address.tls ? { sentinelTLS: tlsOptions(tls) } : {}),
    ...(password === null ? {} : { sentinelPassword: password }),
    sentinelRetryStrategy: retryMs,
    failoverDetector: true,
  });
}

const clusterConnection = (address: RedisAddress, tls: RedisTls): Cluster =>
  new Cluster([...address.servers], {
    lazyConnect: true,
    enableOfflineQueue: false,
    clusterRetryStrategy: retryMs,
    retryDelayOnFailover: 0,
    retryDelayOnClusterDown: 0,
    redisOptions: commonOptions(address, tls),
  });

const tlsOptions = ({ verify = true, ...more }: RedisTls) => ({
  ...more,
  rejectUnauthorized: verify,
});
