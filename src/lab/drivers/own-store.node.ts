// A Redis of its own for a limiter of others, and a way to it that can be cut: then its store is gone for a while.
import { startOwnRedis } from "./own-redis.node.ts";
import { storeWay } from "./store-way.node.ts";

export interface OwnStore {
  readonly url: string; // on the way that can be cut
  readonly directUrl: string;
  /** Rejects new connections and ends all open ones, until `back`. */
  readonly loseUntil: (back: Promise<unknown>) => Promise<void>;
  readonly stop: () => Promise<void>;
}

export async function startOwnStore(): Promise<OwnStore> {
  const redis = await startOwnRedis();
  const way = await storeWay(new URL(redis.url));
  return {
    url: way.url,
    directUrl: redis.url,
    loseUntil: async (back) => {
      way.cut();
      await back;
      way.mend();
    },
    stop: async () => {
      await way.close();
      await redis.stop();
    },
  };
}
