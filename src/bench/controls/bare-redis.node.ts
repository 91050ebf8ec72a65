// The bare proxy with the least that a limit over Redis costs: each request is counted there before it is forwarded.
import { createServer } from "node:http";
import { Redis } from "ioredis";
import { forwardTo, listen } from "./bare.node.ts";

/** Requests of one turn of the event loop are counted by one write, as Weir does. */
export function bareProxyOverRedis(upstream: string, store: string): Promise<URL> {
  const forward = forwardTo(upstream);
  const redis = new Redis(store, { enableAutoPipelining: true });
  return listen(
    createServer((from, to) => {
      void redis.incr("bare-proxy-redis").then(
        () => forward(from, to),
        () => to.destroy(),
      );
    }),
  );
}
