// The bare proxy with the least work of a limit over Redis: Redis counts each request before it is forwarded.
import { createServer } from "node:http";
import { Redis } from "ioredis";
import { forwardTo, listen } from "./bare.node.ts";

/** One INCRBY counts all requests of a turn of the event loop. Like Weir's batches, it waits for no earlier reply. */
export async function bareProxyOverRedis(upstream: string, store: string): Promise<URL> {
  const forward = forwardTo(upstream);
  const redis = new Redis(store, { lazyConnect: true, protocol: 2, maxRetriesPerRequest: 0 });
  await redis.connect();
  let waiting: Parameters<typeof forward>[] = [];
  const count = async (): Promise<void> => {
    const counted = waiting;
    waiting = [];
    const isCounted = await redis.incrby("bare-proxy-redis", counted.length).then(
      () => true,
      () => false,
    );
    for (const [from, to] of counted)
      if (!isCounted) to.destroy();
      else if (!to.destroyed) forward(from, to);
  };
  return listen(
    createServer((from, to) => {
      if (waiting.length === 0) setImmediate(() => void count());
      waiting.push([from, to]);
    }),
  );
}
