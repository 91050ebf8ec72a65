// A Redis that belongs to one foreign limiter, behind a proxy that can be cut to simulate an outage of the store.
import { startOwnRedis } from "./own-redis.node.ts";
import { storeWay } from "./store-way.node.ts";

export interface OwnStore {
  readonly url: string; // through the proxy
  readonly directUrl: string;
  /** Cuts the proxy until `back` resolves: open connections end, and new ones are rejected. */
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
