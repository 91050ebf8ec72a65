// A primary, its replica, and sentinels that watch both.
import { Redis } from "ioredis";
import { isInStep, until } from "./cluster.ts";
import { KEEPS_NOTHING, startRedis, type RedisServer, type RedisSettings } from "./server.ts";

export interface SentinelSetup {
  readonly name: string; // of the group that the sentinels watch
  readonly primary: RedisServer; // as it begins
  readonly replica: RedisServer;
  readonly sentinels: readonly RedisServer[];
  readonly stop: () => Promise<void>;
}

const NAME = "weir";

export async function startSentinels(count: 1 | 2 | 3): Promise<SentinelSetup> {
  const servers: RedisServer[] = [];
  const addServer = async (server: Promise<RedisServer>): Promise<RedisServer> => {
    servers.push(await server);
    return servers.at(-1)!;
  };
  const stop = async (): Promise<void> => {
    await Promise.all(servers.map((server) => server.stop()));
  };
  try {
    const primary = await addServer(startRedis(SYNCS_AT_ONCE));
    const replica = await addServer(startReplica(primary));
    await isInStep(replica);
    const sentinels: RedisServer[] = [];
    for (let index = 0; index < count; index++)
      sentinels.push(await addServer(startSentinel(primary, Math.floor(count / 2) + 1)));
    await Promise.all(sentinels.map((sentinel) => knowsAll(sentinel, count)));
    return { name: NAME, primary, replica, sentinels, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

const SYNCS_AT_ONCE: RedisSettings = (port, folder) => [
  ...KEEPS_NOTHING(port, folder),
  "repl-diskless-sync-delay 0",
];

const startReplica = (primary: RedisServer): Promise<RedisServer> =>
  startRedis((port, folder) => [
    ...SYNCS_AT_ONCE(port, folder),
    `replicaof 127.0.0.1 ${primary.port}`,
  ]);

const startSentinel = (primary: RedisServer, quorum: number): Promise<RedisServer> =>
  startRedis(
    () => [
      `sentinel monitor ${NAME} 127.0.0.1 ${primary.port} ${quorum}`,
      `sentinel down-after-milliseconds ${NAME} 500`,
      `sentinel failover-timeout ${NAME} 3000`,
    ],
    ["--sentinel"],
  );

async function knowsAll(sentinel: RedisServer, count: number): Promise<void> {
  const client = new Redis(sentinel.port, "127.0.0.1");
  try {
    await until(async () => {
      const reply = (await client.call("sentinel", "master", NAME)) as readonly string[];
      const member = (name: string): number => Number(reply[reply.indexOf(name) + 1]);
      return member("num-slaves") === 1 && member("num-other-sentinels") === count - 1;
    });
  } finally {
    client.disconnect();
  }
}
