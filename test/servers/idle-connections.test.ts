import { fork } from "node:child_process";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { gatewayTo, message, speak, statuses } from "./wire.ts";

const MANY = 10_000;

test("ten thousand idle connections keep nobody from being served", async () => {
  const { url, stop } = await gatewayTo(null);
  const before = process.memoryUsage().rss;
  const clients = fork(join(import.meta.dirname, "idle-clients.mjs"), [url.port, String(MANY)], {
    execArgv: [],
  });
  onTestFinished(() => void clients.kill());
  const open = await new Promise((resolve) => clients.once("message", resolve));
  expect(open).toBe(MANY);
  const perConnection = (process.memoryUsage().rss - before) / MANY;
  expect(perConnection).toBeLessThan(40_000);
  const start = performance.now();
  for (let i = 0; i < 20; i++) {
    const { text } = await speak(url, message("GET /open HTTP/1.1", "Host: g"), /\}$/);
    expect(statuses(text)).toEqual([200]);
  }
  expect((performance.now() - start) / 20).toBeLessThan(250);
  const stopping = performance.now();
  await stop();
  expect(performance.now() - stopping).toBeLessThan(5_000);
});
