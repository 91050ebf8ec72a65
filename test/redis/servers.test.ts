// The servers that the tests start have the properties that the tests rely on.
import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { Cluster, Redis } from "ioredis";
import { describe, expect, onTestFinished, test } from "vitest";
import { startCluster, until } from "./cluster.ts";
import { startSentinels } from "./sentinels.ts";
import { startRedis } from "./server.ts";
import { redisIsThere } from "./there.ts";
import { startTlsRedis } from "./tls.ts";

/** Without a listener ioredis prints every error of a connection that a test breaks on purpose. */
function quietly<Client extends Redis | Cluster>(client: Client): Client {
  client.on("error", () => undefined);
  onTestFinished(() => client.disconnect());
  return client;
}

describe.skipIf(!redisIsThere)("a Redis of a test", () => {
  test("is empty again on the same port after it was killed", async () => {
    const server = await startRedis();
    onTestFinished(server.stop);
    const client = quietly(new Redis(server.url, { retryStrategy: () => 20 }));
    await client.set("a", "1");
    const before = server.pid();
    await server.kill();
    expect(() => process.kill(before, 0)).toThrow("ESRCH");
    expect(() => server.pid()).toThrow("not running");
    await server.restart();
    expect(await client.get("a")).toBeNull();
    expect(server.pid()).not.toBe(before);
  });

  test("answers nothing while it is paused", async () => {
    const server = await startRedis();
    onTestFinished(server.stop);
    const client = quietly(new Redis(server.url));
    expect(await client.ping()).toBe("PONG");
    server.pause();
    const answer = client.ping();
    expect(await Promise.race([answer, sleep(200, "nothing")])).toBe("nothing");
    server.resume();
    expect(await answer).toBe("PONG");
  });

  test("is gone with its folder when it is stopped, paused as it is", async () => {
    const server = await startRedis();
    server.pause();
    const pid = server.pid();
    await server.stop();
    expect(() => process.kill(pid, 0)).toThrow("ESRCH");
    await expect(server.log()).rejects.toThrow("ENOENT");
  });

  test("that cannot start fails with the reason", async () => {
    await expect(startRedis(() => ["no-such-setting 1"])).rejects.toThrow(/does not start/);
  });

  test("is a cluster whose slots are on three nodes, and a replica takes a lost one's place", async () => {
    const cluster = await startCluster({ replicas: 1, needsAllSlots: true });
    onTestFinished(cluster.stop);
    const client = quietly(new Cluster([{ host: "127.0.0.1", port: cluster.primaries[0]!.port }]));
    const names = Array.from({ length: 100 }, (_, index) => `name-${index}`);
    await Promise.all(names.map((name) => client.set(name, name)));
    // A primary that is killed takes with it what its replica has not been sent yet.
    await Promise.all(client.nodes("master").map((node) => node.wait(1, 60_000)));
    const sizes = await Promise.all(client.nodes("master").map((node) => node.dbsize()));
    expect(sizes.length).toBe(3);
    expect(Math.min(...sizes)).toBeGreaterThan(10);
    await cluster.primaries[1]!.kill();
    const survivor = quietly(new Redis(cluster.replicas[1]!.url));
    await until(async () => (await survivor.info("replication")).includes("role:master"));
    expect(await client.get("name-1")).toBe("name-1");
  });

  test("has sentinels that put its replica in its place", async () => {
    const setup = await startSentinels(1);
    onTestFinished(setup.stop);
    const sentinels = setup.sentinels.map(({ port }) => ({ host: "127.0.0.1", port }));
    const client = quietly(new Redis({ sentinels, name: setup.name }));
    await client.set("a", "1");
    await client.wait(1, 1_000);
    await setup.primary.kill();
    expect(await client.get("a")).toBe("1");
    expect(await client.info("server")).toContain(`tcp_port:${setup.replica.port}`);
  });

  test("speaks TLS with clients that trust its certificate, and with no others", async () => {
    const server = await startTlsRedis();
    onTestFinished(server.stop);
    const ca = readFileSync(server.certificate);
    const client = quietly(new Redis(server.url, { tls: { ca } }));
    expect(await client.ping()).toBe("PONG");
    const stranger = new Redis(server.url, { retryStrategy: () => null });
    const error = await new Promise((resolve) => stranger.once("error", resolve));
    expect(String(error)).toMatch(/self-signed certificate/);
  });
});
