// Controls that are Weir's own, each in a process of its own.
import { expect, onTestFinished, test } from "vitest";
import { openRedisProbe } from "#src/studies/bench/resources/redis.node.ts";
import { startControl } from "#src/studies/bench/servers.node.ts";
import { startOwnRedis } from "#src/lab/drivers/own-redis.node.ts";
import { isFailure, requireValue } from "#src/kit/reading/failure.ts";

async function upstreamOrigin(): Promise<string> {
  const upstream = requireValue(await startControl("upstream", { upstream: null, store: null }));
  onTestFinished(upstream.stop);
  return new URL(upstream.url).origin;
}

test("the bare proxy over Redis counts each request, and forwards it", async () => {
  const [upstream, redis] = await Promise.all([upstreamOrigin(), startOwnRedis()]);
  onTestFinished(redis.stop);
  const proxy = requireValue(
    await startControl("bare-proxy-redis", { upstream, store: redis.url }),
  );
  onTestFinished(proxy.stop);
  const responses = await Promise.all([1, 2, 3].map(() => fetch(proxy.url)));
  for (const response of responses)
    expect([response.status, await response.json()]).toEqual([
      200,
      { method: "GET", target: "/orders/7" },
    ]);
  const probe = await openRedisProbe(redis.url);
  expect(await probe.call("GET", "bare-proxy-redis")).toBe("3");
  probe.close();
});

test("it is left out of a run without Redis, with the reason", async () => {
  const missing = await startControl("bare-proxy-redis", {
    upstream: await upstreamOrigin(),
    store: null,
  });
  expect(isFailure(missing) && missing.message).toBe("no cell of this run has store=redis");
});
