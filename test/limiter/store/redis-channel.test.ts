import { once } from "node:events";
import { connect, createServer, type AddressInfo } from "node:net";
import { Redis } from "ioredis";
import { describe, expect, onTestFinished, test } from "vitest";
import { redisChannel } from "#src/limiter/store/redis-channel.node.ts";
import { until } from "../../redis/cluster.ts";
import { startRedis } from "../../redis/server.ts";
import { redisIsThere } from "../../redis/there.ts";

/** A way to a server that counts subscriptions, and can withhold the replies to further ones. */
async function countingWay(port: number) {
  const way = { url: "", subscriptions: 0, isSilent: false, open: 0 };
  const server = createServer((from) => {
    const to = connect(port, "127.0.0.1");
    let isWithheld = false;
    way.open++;
    from.on("error", () => to.destroy()).on("close", () => to.destroy());
    from.on("close", () => way.open--);
    to.on("error", () => from.destroy()).on("close", () => from.destroy());
    from.on("data", (bytes) => {
      const found = bytes.toString().split("\r\nsubscribe\r\n").length - 1;
      way.subscriptions += found;
      isWithheld ||= found > 0 && way.isSilent;
      to.write(bytes);
    });
    to.on("data", (bytes) => void (isWithheld || from.write(bytes)));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  way.url = `redis://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return way;
}

describe.skipIf(!redisIsThere)("a channel over a new connection", () => {
  test("subscribes once, and may be closed before the reply", async () => {
    const rejections: unknown[] = [];
    const note = (reason: unknown): void => void rejections.push(reason);
    process.on("unhandledRejection", note);
    onTestFinished(() => void process.off("unhandledRejection", note));
    const server = await startRedis();
    onTestFinished(server.stop);
    const way = await countingWay(server.port);
    const publisher = new Redis(way.url, { enableOfflineQueue: false });
    onTestFinished(() => publisher.disconnect());
    const channel = redisChannel(publisher, "weir:gateways");
    expect(await channel.listen(() => {})).toBeNull();
    way.isSilent = true;
    channel.renew(); // as a heartbeat that is overdue does, on a busy machine
    await until(() => way.subscriptions > 1);
    await channel.close();
    await until(() => way.open === 1); // that of the publisher
    await new Promise((resolve) => setTimeout(resolve, 20)); // this side has seen the end too
    expect(rejections).toEqual([]);
    expect(way.subscriptions).toBe(2);
  });
});
