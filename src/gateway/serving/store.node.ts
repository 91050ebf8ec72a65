// The store that the settings name, for the lifetime of a process.
import { joinFleet, type Member } from "../http/heartbeats.node.ts";
import type { Gateway } from "../gateway.ts";
import { requireValue } from "../../kit/reading/failure.ts";
import { parseRedisAddress } from "../../limiter/store/redis-address.ts";
import type { RedisTls } from "../../limiter/store/redis-connection.node.ts";
import type { RedisStore } from "../../limiter/store/redis.node.ts";
import type { Settings } from "../settings/table.ts";

const LONGEST_START_MS = 3_000;
const LONGEST_OPTIONAL_START_MS = 500; // if the gateway may start without the store

/** Builds the client of the store. Null: this process counts in its own memory. */
export async function openStore(settings: Settings, tls: RedisTls): Promise<RedisStore | null> {
  const { "store.url": url, "store.prefix": prefix } = settings;
  if (url === "memory") return null;
  const { redisStore } = await import("../../limiter/store/redis.node.ts");
  return redisStore({ url, prefix, tls });
}

/** Waits until the store responds, or until the time for the start is over. Does not report an unreachable store. */
export async function awaitStore(store: RedisStore | null, settings: Settings): Promise<void> {
  await store?.connect(settings["store.required"] ? LONGEST_START_MS : LONGEST_OPTIONAL_START_MS);
}

/** Why the store does not respond; null: it does. For a process that does not serve requests. */
export async function findStoreProblem(settings: Settings, tls: RedisTls): Promise<string | null> {
  const store = await openStore(settings, tls);
  if (store === null) return null;
  const problem = await store.connect(LONGEST_START_MS);
  await store.close();
  return problem;
}

/** Begins to send heartbeats: gateways then count this one, and it counts them (ALG-C4). */
export async function joinOthers(
  gateway: Gateway,
  store: RedisStore,
  settings: Settings,
): Promise<Member> {
  const address = requireValue(parseRedisAddress(settings["store.url"]));
  const { channelName, redisChannel } = await import("../../limiter/store/redis-channel.node.ts");
  const name = channelName(settings["store.prefix"], address.db);
  return joinFleet(gateway, redisChannel(store.connection, name));
}
