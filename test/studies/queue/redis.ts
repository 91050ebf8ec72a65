// A Redis of a test's own, and connections to it as those of a queue.
import type { Redis } from "ioredis";
import { onTestFinished } from "vitest";
import { connectQueue } from "#src/studies/queue/connection.node.ts";
import { isFailure } from "#src/kit/reading/failure.ts";
import {
  KEEPS_NOTHING,
  startRedis,
  type RedisServer,
  type RedisSettings,
} from "../../redis/server.ts";

export async function redisOf(settings: RedisSettings = KEEPS_NOTHING): Promise<RedisServer> {
  const redis = await startRedis(settings);
  onTestFinished(() => redis.stop());
  return redis;
}

export async function connect({ url }: RedisServer, db = 0): Promise<Redis> {
  const connection = await connectQueue(`${url}/${db}`);
  if (isFailure(connection) || connection === "unreachable") throw new Error("no Redis");
  onTestFinished(() => connection.disconnect());
  return connection;
}
