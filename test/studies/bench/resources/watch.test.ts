import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, test } from "vitest";
import { machine, machineAfter } from "#src/studies/bench/resources/machine.node.ts";
import { figuresOf, watchOthers } from "#src/studies/bench/resources/processes.node.ts";
import { openRedisProbe } from "#src/studies/bench/resources/redis.node.ts";
import type { ProcessesSample } from "#src/studies/bench/resources/usage.ts";
import { watch } from "#src/studies/bench/resources/watch.node.ts";
import { startOwnRedis } from "#src/lab/drivers/own-redis.node.ts";
import { metrics } from "#src/gateway/http/metrics.node.ts";

/** So much processor time, and not so much time: where others compute too, this process may have had none of it. */
function spin(ms: number): void {
  const before = process.cpuUsage();
  for (;;) {
    const { user, system } = process.cpuUsage(before);
    if (user + system >= 1_000 * ms) return;
  }
}

const soon = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

const UNUSED_PID = 2 ** 22 - 1;

test("a process has processor time and memory, and one that has ended has neither", async () => {
  const before = await figuresOf(process.pid);
  spin(100);
  const after = await figuresOf(process.pid);
  expect(after!.cpuUs - before!.cpuUs).toBeGreaterThan(5_000);
  expect(after!.rssBytes).toBeGreaterThan(10_000_000);
  expect(await figuresOf(UNUSED_PID)).toBe(null);
});

test("the usage of a gateway's process in a repeat is in its figures and samples", async () => {
  const measured = metrics();
  const server = createServer((_, to) => void measured.text().then((text) => to.end(text)));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const metricsUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/metrics`;
  const samples: ProcessesSample[] = [];
  const pids = { gatewayPid: process.pid, loadPid: process.pid };
  const watching = await watch(
    { ...pids, metricsUrl, survivorBytes: () => null, redis: null },
    (one) => samples.push(one),
  );
  for (let i = 0; i < 6; i++) {
    spin(60);
    await soon(5);
  }
  const used = await watching.stop();
  server.closeAllConnections();
  server.close();
  expect(used.tookUs).toBeGreaterThan(360_000);
  expect(used.gatewayCpuUs).toBeGreaterThan(30_000);
  expect(used.gatewayCpuUs).toBeLessThan(used.tookUs * 4);
  expect(used.rssBytes).toBeGreaterThan(10_000_000);
  expect(used.loopP99Ms).toBeGreaterThan(40);
  expect(used.loopP99Ms).toBeLessThan(5_000);
  expect(used.gcUs).toBeGreaterThanOrEqual(0);
  expect(samples.length).toBeGreaterThan(0);
  expect(samples[0]).toMatchObject({
    what: "processes",
    load: { rssBytes: expect.any(Number) as number },
  });
});

test("a target without process and metrics has only the figures of the load generator", async () => {
  const remote = {
    gatewayPid: null,
    metricsUrl: "http://127.0.0.1:1/metrics",
    survivorBytes: () => null,
    redis: null,
  };
  const watching = await watch({ ...remote, loadPid: process.pid });
  const { user } = process.cpuUsage();
  while (process.cpuUsage().user < user + 50_000); // it is counted in hundredths of a second
  const used = await watching.stop();
  expect(used).toMatchObject({ gatewayCpuUs: null, rssBytes: null, loopP99Ms: null, gcUs: null });
  expect(used.loadCpuUs).toBeGreaterThan(0);
});

test("the usage of Redis and the size of a prefix are read", async () => {
  const { url, stop } = await startOwnRedis();
  const probe = await openRedisProbe(url);
  const other = await openRedisProbe(url);
  const redis = { probe, prefix: "cell[1]:" };
  try {
    const watched = {
      gatewayPid: null,
      loadPid: process.pid,
      metricsUrl: null,
      survivorBytes: () => null,
      redis,
    };
    const watching = await watch(watched);
    for (const name of ["a", "b"])
      for (let at = 0; at < 3; at++)
        await other.call("ZADD", `cell[1]:{${name}}z`, `${at}`, `${name}${at}`);
    await other.call("SET", "cell1:{c}", "1");
    const used = (await watching.stop()).redis!;
    expect(used).toMatchObject({
      calls: 7,
      sent: { count: 7 },
      footprint: { budgets: 2, entries: 3 },
    });
    expect(used.footprint!.bytes).toBeGreaterThan(40);
    expect(used.usedMemory).toBeGreaterThan(100_000);
    expect(used.networkBytes).toBeGreaterThan(200);
    expect(await probe.footprint("nothing:")).toBe(null);
    expect(await probe.version()).toMatch(/^\d+\.\d+/);
  } finally {
    probe.close();
    other.close();
    await stop();
  }
});

test("an address without a server is an error and leaves no connection", async () => {
  await expect(openRedisProbe("redis://127.0.0.1:1")).rejects.toThrow("ECONNREFUSED");
  await expect(openRedisProbe("http://a")).rejects.toThrow("is not the address of a store");
});

test("other processes are all that are not part of the run", async () => {
  const ours = await watchOthers([process.pid]);
  const theirs = await watchOthers([]);
  spin(150);
  expect(await theirs.busyReason()).toContain("other processes took");
  // Other processes of this machine may be busy too; this one is not counted among them.
  const share = (reason: string | null): number => Number(/(\d+) %/.exec(reason ?? "0 %")![1]);
  expect(share(await ours.busyReason())).toBeLessThan(share(await theirs.busyReason()));
});

test("the machine of a result has everything that its values depend on", () => {
  const before = machine();
  expect(before.cores).toBeGreaterThan(0);
  expect(before.commit ?? "").toMatch(/^(?:[0-9a-f]{40})?$/);
  expect(before.versions["autocannon"]).toMatch(/^\d+\.\d+\.\d+/);
  expect(before.node).toBe(process.versions.node);
  const after = machineAfter(before, "somebody else was at work", { redis: "7.0.15", nginx: null });
  expect(after).toMatchObject({ busy: "somebody else was at work", versions: { redis: "7.0.15" } });
  expect(Object.keys(after.versions)).not.toContain("nginx");
});
