import { describe } from "vitest";
import { connectRedis } from "../redis/connect.ts";
import { redisIsThere } from "../redis/there.ts";
import { testStore } from "./store-contract.ts";

describe.skipIf(!redisIsThere)(
  "Redis replies as memory does, operation by operation: takes of several levels, refunds, marks, allowances, pipelines (LIM-C1, ALG-C3 to C9, SMO, HDR-C1, HDR-C2)",
  () => {
    const redis = connectRedis();

    testStore(() => ({
      send: redis.store.send,
      clear: async () => void (await redis.store.connection.flushall()),
    }));
  },
);
