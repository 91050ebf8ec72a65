// Connections to a Redis-compatible store. No operation waits for a connection: without one, it fails (ALG-C8). No
// command is sent twice, because the store may have counted the first command.
import { Cluster, Redis } from "ioredis";
import type { RedisAddress } from "./redis-address.ts";

/** Options of TLS beyond the address. They have contents of files, not paths. */
export interface RedisTls {
  readonly ca?: string;
  readonly cert?: string;
  readonly key?: string;
  readonly servername?: string;
  readonly verify?: boolean; // false: the server's certificate is not verified
}

export type RedisConnection = Redis | Cluster;

const CONNECT_MS = 2_000;
const SILENT_MS = 5_000; // if a command gets no reply within this time, the connection is lost
const GOODBYE_MS = 100; // how long the last reply may take before this side closes the connection
const FIRST_RETRY_MS = 50;
const LAST_RETRY_MS = 500; // the longest pause: all gateways reconnect soon after an outage

/** The pause doubles with each attempt; a random part spreads the attempts of several gateways. */
const retryMs = (times: number): number =>
  Math.min(LAST_RETRY_MS, FIRST_RETRY_MS * 2 ** Math.min(times - 1, 10)) *
  (0.75 + Math.random() / 4);

/** Opens no connection before `connect` is called. `onError` is called for each error of the connection. */
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

/** ioredis does not handle errors of its automatic subscriptions: one failed subscription would end the process. */
const NO_SUBSCRIPTIONS_OF_ITS_OWN = { autoResubscribe: false };

/**
 * A second connection to the same address, or to any node of the same cluster. The caller connects it once the first
 * connection is ready, and subscribes each time the second one is ready.
 */
export function connectionLike(one: RedisConnection, onError: () => void): Redis {
  const other =
    one instanceof Cluster ? connectionToAnyNode(one) : one.duplicate(NO_SUBSCRIPTIONS_OF_ITS_OWN);
  other.on("error", onError);
  return keepConnected(other);
}

/**
 * Connects to another node with each attempt. The subscriber of ioredis for clusters would make thousands of attempts a
 * second while every node refuses it, and retain an object for each.
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

/** Closes a connection for good. Any other end of a connection leads to a new attempt. */
export function dropConnection(connection: RedisConnection): void {
  dropped.add(connection);
  connection.disconnect();
}

/** Connects again after each end, because ioredis ends all attempts if a failover happens during one of them. */
function keepConnected<Connection extends RedisConnection>(connection: Connection): Connection {
  const again = (): void => {
    if (!dropped.has(connection) && connection.status === "end")
      connection.connect().catch(() => {}); // a failed attempt emits an error, and then `end` again
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
  // Reconnects if the primary has become a replica, because another server is the primary now.
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
