import { afterAll, beforeAll, describe } from "vitest";
import { redisStore, type RedisStore } from "../../src/store/redis.node.ts";
import { startRedis, type RedisServer } from "../redis/server.ts";
import { redisIsThere } from "../redis/there.ts";
import { PATIENT } from "../runs.ts";
import { testStore } from "./store-contract.ts";

describe.skipIf(!redisIsThere)(
  "Redis replies as memory does, operation by operation: takes of several levels, refunds, marks, allowances, pipelines (LIM-C1, ALG-C3 to C9, SMO, HDR-C1, HDR-C2)",
  PATIENT,
  () => {
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

    testStore(() => ({
      send: store.send,
      clear: async () => void (await store.connection.flushall()),
    }));
  },
);
