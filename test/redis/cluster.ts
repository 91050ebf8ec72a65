// A Redis Cluster for a test: primaries that share the slots, and one replica of each if the form has replicas.
import { setTimeout as sleep } from "node:timers/promises";
import { Redis } from "ioredis";
import { freePort, KEEPS_NOTHING, startRedis, type RedisServer } from "./server.ts";

export interface RedisCluster {
  readonly primaries: readonly RedisServer[]; // the slots in order, evenly
  readonly replicas: readonly RedisServer[]; // of the primary with the same index
  readonly stop: () => Promise<void>;
}

export interface ClusterForm {
  readonly replicas: 0 | 1; // of each primary
  readonly needsAllSlots: boolean; // false: the rest of a cluster goes on serving
}

const SLOTS = 16_384;
const PRIMARIES = 3;

export async function startCluster(form: ClusterForm): Promise<RedisCluster> {
  const servers: RedisServer[] = [];
  const stop = async (): Promise<void> => {
    await Promise.all(servers.map((server) => server.stop()));
  };
  try {
    for (let index = 0; index < PRIMARIES * (1 + form.replicas); index++)
      servers.push(await startNode(form));
    await join(servers);
  } catch (error) {
    await stop();
    throw error;
  }
  return { primaries: servers.slice(0, PRIMARIES), replicas: servers.slice(PRIMARIES), stop };
}

async function startNode({ needsAllSlots }: ClusterForm): Promise<RedisServer> {
  const busPort = await freePort();
  return startRedis((port, folder) => [
    ...KEEPS_NOTHING(port, folder),
    "cluster-enabled yes",
    `cluster-port ${busPort}`,
    "cluster-node-timeout 1000",
    "cluster-replica-validity-factor 0",
    "repl-diskless-sync-delay 0",
    `cluster-require-full-coverage ${needsAllSlots ? "yes" : "no"}`,
  ]);
}

async function join(servers: readonly RedisServer[]): Promise<void> {
  const clients = servers.map(({ port }) => new Redis(port, "127.0.0.1"));
  try {
    const ids: string[] = [];
    for (const [index, client] of clients.entries()) {
      await client.call("cluster", "set-config-epoch", index + 1);
      ids.push(String(await client.call("cluster", "myid")));
      if (index >= PRIMARIES) continue;
      const from = Math.floor((SLOTS * index) / PRIMARIES);
      const to = Math.floor((SLOTS * (index + 1)) / PRIMARIES) - 1;
      await client.call("cluster", "addslotsrange", from, to);
    }
    for (const { port } of servers.slice(1)) {
      const busPort = await busPortOf(port);
      await clients[0]!.call("cluster", "meet", "127.0.0.1", port, busPort);
    }
    await waitUntilAll(clients, (text) => text.includes(`cluster_known_nodes:${servers.length}`));
    for (const [index, client] of clients.entries())
      if (index >= PRIMARIES) await client.call("cluster", "replicate", ids[index - PRIMARIES]!);
    await Promise.all(servers.slice(PRIMARIES).map(isInStep));
    await waitUntilAll(clients, (text) => text.includes("cluster_state:ok"));
  } finally {
    for (const client of clients) client.disconnect();
  }
}

async function busPortOf(port: number): Promise<string> {
  const client = new Redis(port, "127.0.0.1");
  const [, busPort] = (await client.config("GET", "cluster-port")) as [string, string];
  client.disconnect();
  return busPort;
}

/** A replica that has all that its primary has. */
export async function isInStep({ port }: RedisServer): Promise<void> {
  const client = new Redis(port, "127.0.0.1");
  await until(async () => (await client.info("replication")).includes("master_link_status:up"));
  client.disconnect();
}

const waitUntilAll = (clients: readonly Redis[], isSo: (info: string) => boolean): Promise<void> =>
  until(async () => {
    const infos = await Promise.all(clients.map((client) => client.call("cluster", "info")));
    return infos.every((info) => isSo(String(info)));
  });

const LONGEST_MS = 50_000; // ends what hangs: a busy machine may be this slow

/** Checks every 20 ms, for a state that a server reaches only after a while. */
export async function until(isSo: () => Promise<boolean> | boolean): Promise<void> {
  for (let waitedMs = 0; waitedMs < LONGEST_MS; waitedMs += 20) {
    if (await isSo()) return;
    await sleep(20);
  }
  throw new Error(`It was not so within ${LONGEST_MS / 1_000} s: ${isSo.toString()}`);
}
