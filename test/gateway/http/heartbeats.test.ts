import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { Cluster, Redis } from "ioredis";
import { describe, expect, onTestFinished, test } from "vitest";
import {
  gatewaysAt,
  limiter,
  REMOTE_STORE_TRAITS,
  type Limiter,
} from "#src/limiter/core/limiter.ts";
import type { LimiterEvent } from "#src/limiter/core/events.ts";
import { readConfiguration } from "#src/limiter/world/read.ts";
import { resolver } from "#src/limiter/core/resolve/resolver.ts";
import { gateway, type Gateway } from "#src/gateway/gateway.ts";
import { joinFleet, type Member } from "#src/gateway/http/heartbeats.node.ts";
import { wallClock } from "#src/gateway/http/wall-clock.node.ts";
import type { Channel } from "#src/limiter/store/channel.ts";
import { localStore, memoryStore } from "#src/limiter/store/memory.ts";
import { redisChannel } from "#src/limiter/store/redis-channel.node.ts";
import { startCluster, until } from "../../redis/cluster.ts";
import { startRedis, type RedisServer } from "../../redis/server.ts";
import { redisIsThere } from "../../redis/there.ts";

const EVERY_MS = 60;
/** Longer than a busy machine delays this process: heartbeats must not expire before an outage is noticed. */
const EXPIRY_MS = 1_000;

const AWAY_MS = 2_000;

interface Voice {
  readonly gateway: Gateway;
  readonly member: Member;
  readonly events: readonly LimiterEvent["event"][];
  readonly count: () => number;
}

function voice(channel: Channel, expiryMs = EXPIRY_MS): Voice {
  const { configuration } = readConfiguration({
    apis: { orders: { listen: "/orders" } },
    gateway: {
      drl_notification_frequency: EVERY_MS / 1_000,
      drl_expiry: expiryMs / 1_000,
      store_timeout: 0.045,
    },
  });
  const events: LimiterEvent["event"][] = [];
  const limits: Limiter = limiter(
    resolver(configuration!),
    localStore(memoryStore(), memoryStore()),
    REMOTE_STORE_TRAITS,
    ({ event }) => events.push(event),
  );
  const one = gateway(limits, wallClock);
  const member = joinFleet(one, channel);
  onTestFinished(member.leave);
  return { gateway: one, member, events, count: () => gatewaysAt(limits, wallClock()) };
}

/** A channel in this process, which can be cut. */
function hub(): { readonly channel: () => Channel; isCut: boolean; readonly messages: string[] } {
  const listeners = new Set<(text: string) => void>();
  const it = {
    isCut: false,
    messages: [] as string[],
    channel: (): Channel => {
      let listener: ((text: string) => void) | null = null;
      return {
        listen: async (receive) => {
          listeners.add((listener = receive));
          return null;
        },
        publish: (text) => {
          it.messages.push(text);
          if (!it.isCut) setImmediate(() => listeners.forEach((receive) => receive(text)));
          return true;
        },
        renew: () => {},
        close: async () => {
          await new Promise(setImmediate);
          listeners.delete(listener!);
        },
      };
    },
  };
  return it;
}

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

describe("in a fleet", () => {
  test("each gateway counts itself and the heartbeats that it receives", async () => {
    const { channel } = hub();
    const voices = [voice(channel()), voice(channel()), voice(channel())];
    expect(voices.map(({ count }) => count())).toEqual([1, 1, 1]);
    await until(() => voices.every(({ count }) => count() === 3));
    await sleep(2 * EXPIRY_MS);
    expect(voices.map(({ count }) => count())).toEqual([3, 3, 3]);
    expect(voices.flatMap(({ events }) => events)).toEqual([]);
  });

  test("a gateway that announces its end is not counted any more", async () => {
    const { channel } = hub();
    const [first, second] = [voice(channel()), voice(channel())];
    await until(() => first.count() === 2);
    await second.member.leave();
    expect(first.count()).toBe(1);
    await sleep(2 * EVERY_MS);
    expect(first.count()).toBe(1);
  });

  test("messages that are no heartbeats count as no gateway", async () => {
    const { channel } = hub();
    const one = voice(channel());
    const stranger = channel();
    for (const text of ["", "+", "+0123", "+0123456789ABCDEF", "?0123456789abcdef", "+".repeat(99)])
      stranger.publish(text);
    await sleep(10);
    expect(one.count()).toBe(1);
    stranger.publish("+0123456789abcdef");
    await sleep(10);
    expect(one.count()).toBe(2);
  });

  test("a gateway whose heartbeats do not arrive keeps its count, until they have arrived for drl_expiry", async () => {
    const there = hub();
    const voices = [voice(there.channel()), voice(there.channel())];
    await until(() => voices.every(({ count }) => count() === 2));
    there.isCut = true;
    await until(() => voices.every(({ events }) => events.length > 0));
    await sleep(2 * EXPIRY_MS);
    expect(voices.map(({ count }) => count())).toEqual([2, 2]);
    there.isCut = false;
    await until(() => voices.every(({ events }) => events.length === 2));
    await sleep(2 * EXPIRY_MS);
    expect(voices.map(({ count }) => count())).toEqual([2, 2]);
    expect(voices.map(({ events }) => events)).toEqual([
      ["StoreUnavailable", "StoreRecovered"],
      ["StoreUnavailable", "StoreRecovered"],
    ]);
  });
});

describe.skipIf(!redisIsThere)("in a fleet over Redis", () => {
  const over = ({ url }: RedisServer, name = "weir:gateways", expiryMs = EXPIRY_MS): Voice => {
    const speaker = new Redis(url, { enableOfflineQueue: false, retryStrategy: () => 20 });
    speaker.on("error", () => undefined);
    onTestFinished(() => speaker.disconnect());
    return voice(redisChannel(speaker, name), expiryMs);
  };

  test("gateways receive each other's heartbeats, and not those of another channel", async () => {
    const server = await startRedis();
    onTestFinished(server.stop);
    const voices = [over(server), over(server)];
    const other = over(server, "other:gateways");
    await until(() => voices.every(({ count }) => count() === 2));
    await voices[1]!.member.leave();
    await until(() => voices[0]!.count() === 1);
    expect(other.count()).toBe(1);
    expect(voices[0]!.events).toEqual([]);
  });

  test("a gateway that may not subscribe reports it, and counts only itself", async () => {
    const server = await startRedis(() => ["user default on nopass ~* resetchannels +@all"]);
    onTestFinished(server.stop);
    const one = over(server);
    expect(await one.member.listening).toMatch(/^NOPERM .*channel/);
    expect(one.count()).toBe(1);
    expect(one.events).toEqual([]);
  });

  test("a paused Redis, and one that returns empty, change no count", async () => {
    const server = await startRedis();
    onTestFinished(server.stop);
    const voices = [1, 2].map(() => over(server));
    await until(() => voices.every(({ count }) => count() === 2));
    const away = async (ms: number): Promise<void> => {
      const until = performance.now() + ms;
      while (performance.now() < until) {
        expect(voices.map(({ count }) => count())).toEqual([2, 2]);
        await sleep(5);
      }
    };
    server.pause();
    await away(1.3 * EXPIRY_MS);
    server.resume();
    await away(1.3 * EXPIRY_MS);
    await server.kill();
    await away(1.3 * EXPIRY_MS);
    await server.restart();
    await away(2 * EXPIRY_MS);
    for (const { events } of voices)
      expect(events.slice(0, 2)).toEqual(["StoreUnavailable", "StoreRecovered"]);
    for (const { events } of voices) expect(events.at(-1)).toBe("StoreRecovered");
    await voices[1]!.member.leave();
    await until(() => voices[0]!.count() === 1);
  });

  test("a cluster that is away as a whole is attempted a few times a second, and the count stays", async () => {
    const cluster = await startCluster({ replicas: 0, needsAllSlots: true });
    onTestFinished(cluster.stop);
    const [{ port }] = cluster.primaries as [RedisServer];
    const voices = [1, 2].map(() => {
      const options = { enableOfflineQueue: false, clusterRetryStrategy: () => 20 };
      const speaker = new Cluster([{ host: "127.0.0.1", port }], options);
      speaker.on("error", () => undefined);
      onTestFinished(() => speaker.disconnect());
      return voice(redisChannel(speaker, "weir:gateways"));
    });
    await until(() => voices.every(({ count }) => count() === 2));
    await Promise.all(cluster.primaries.map((node) => node.kill()));
    let sockets = 0;
    const countSocket = (): void => void sockets++;
    subscribe("net.client.socket", countSocket);
    await sleep(AWAY_MS);
    unsubscribe("net.client.socket", countSocket);
    expect(sockets).toBeGreaterThan(2);
    expect(sockets).toBeLessThan((AWAY_MS / 20) * 10);
    expect(voices.map(({ count }) => count())).toEqual([2, 2]);
  });
});
