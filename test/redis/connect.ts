// A Redis for the tests of one `describe`, with a store that is connected to it.
import { afterAll, beforeAll } from "vitest";
import { redisStore, type RedisStore } from "#src/limiter/store/redis.node.ts";
import { startRedis, type RedisServer } from "./server.ts";

/** The store is there once the tests run. */
export function connectRedis(): { readonly store: RedisStore } {
  let server: RedisServer;
  let store: RedisStore;
  beforeAll(async () => {
    server = await startRedis();
    store = redisStore({ url: server.url });
    await store.connect(5_000);
  });
  afterAll(async () => {
    await store.close();
    await server.stop();
  });
  return {
    get store() {
      return store;
    },
  };
}
