// The store that the settings name, for as long as a process lives.
import { joinFleet, type Member } from "../gateway/http/heartbeats.node.ts";
import type { Gateway } from "../gateway/gateway.ts";
import { isProblem, parseRedisAddress } from "../store/redis-address.ts";
import type { RedisTls } from "../store/redis-connection.node.ts";
import type { RedisStore } from "../store/redis.node.ts";
import type { Settings } from "../settings/table.ts";

const LONGEST_START_MS = 3_000;
const LONGEST_WITHOUT_MS = 500; // where a start may do without it, and whoever started has looked

/** Null: everything is counted in this process, which then loads no client of a store. */
export async function openStore(settings: Settings, tls: RedisTls): Promise<RedisStore | null> {
  const { "store.url": url, "store.prefix": prefix } = settings;
  if (url === "memory") return null;
  const { redisStore } = await import("../store/redis.node.ts");
  return redisStore({ url, prefix, tls });
}

/** Whether it may be away has been decided before: here it only gets the time to be there. */
export async function awaitStore(store: RedisStore | null, settings: Settings): Promise<void> {
  await store?.connect(settings["store.required"] ? LONGEST_START_MS : LONGEST_WITHOUT_MS);
}

/** A text says why it does not answer. For the process that serves nothing itself. */
export async function isAway(settings: Settings, tls: RedisTls): Promise<string | null> {
  const store = await openStore(settings, tls);
  if (store === null) return null;
  const away = await store.connect(LONGEST_START_MS);
  await store.close();
  return away;
}

/** Heartbeats: from now on the others count this gateway, and it counts them (ALG-C4). */
export async function joinOthers(
  gateway: Gateway,
  store: RedisStore,
  settings: Settings,
): Promise<Member> {
  const address = parseRedisAddress(settings["store.url"]);
  if (isProblem(address)) throw new Error(address.problem);
  const { channelName, redisChannel } = await import("../store/redis-channel.node.ts");
  const name = channelName(settings["store.prefix"], address.db);
  return joinFleet(gateway, redisChannel(store.connection, name));
}
