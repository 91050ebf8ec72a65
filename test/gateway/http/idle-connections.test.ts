import { fork } from "node:child_process";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { median } from "simple-statistics";
import { expect, onTestFinished, test } from "vitest";
import { gatewayTo, message, speak, statuses } from "./wire.ts";

const MANY = 10_000;

test("ten thousand idle connections do not slow other clients", async () => {
  const { url, stop } = await gatewayTo(null);
  const alone = await middleMs(url);
  const before = process.memoryUsage().rss;
  const clients = fork(join(import.meta.dirname, "idle-clients.mjs"), [url.port, String(MANY)], {
    execArgv: [],
  });
  onTestFinished(() => void clients.kill());
  const open = await new Promise((resolve) => clients.once("message", resolve));
  expect(open).toBe(MANY);
  const perConnection = (process.memoryUsage().rss - before) / MANY;
  expect(perConnection).toBeLessThan(40_000);
  expect(await middleMs(url)).toBeLessThan(20 * alone);
  // Without closing them it would wait for the minute that an idle connection is kept.
  const late = setTimeout(30_000, "late", { ref: false });
  expect(await Promise.race([stop().then(() => "stopped"), late])).toBe("stopped");
});

/** The middle of what single requests take: a machine that is busy for a moment does not move it. */
async function middleMs(url: URL): Promise<number> {
  const tookMs: number[] = [];
  for (let i = 0; i < 21; i++) {
    const startMs = performance.now();
    const { text } = await speak(url, message("GET /open HTTP/1.1", "Host: g"), /\}$/);
    tookMs.push(performance.now() - startMs);
    expect(statuses(text)).toEqual([200]);
  }
  return median(tookMs);
}
