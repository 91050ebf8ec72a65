// How fast a run is in the worker of the playground, measured next to the same run in Node: no charts wait for more.
import { expect, test } from "vitest";
import { runScenario } from "#src/show/site/run-scenario.ts";
import type { RunReply, RunWork } from "#src/show/site/script/worker.ts";
import { openServed } from "./opened.ts";
import { startSite } from "./site.ts";

const workOf = (requests: number): RunWork => ({
  id: 1,
  file: "many.yaml",
  text: `title: many requests of one key
world:
  apis: { orders: { listen: /orders } }
  keys: { alice: { apis: [orders], rate: 100, per: 1 } }
traffic:
  - { as: alice, send: GET /orders, rate: 1000, for: ${requests / 1000}s }
expect:
  - { id: some are admitted, count: { status: 200 }, atLeast: 1 }
`,
  seed: 1,
});

/** In the page: the least time in ms from a text to the report of its run. */
async function leastMs({ work, runs }: { work: RunWork; runs: number }): Promise<number> {
  const worker = new Worker("../assets/worker.js", { type: "module" });
  let end = Promise.withResolvers<string>();
  worker.addEventListener("error", ({ message }) => end.reject(new Error(message)));
  worker.addEventListener("message", ({ data: { message } }: MessageEvent<RunReply>) => {
    if (message.kind === "done" || message.kind === "stopped") end.resolve(message.kind);
  });
  let least = Number.POSITIVE_INFINITY;
  for (let run = 0; run < runs; run++) {
    end = Promise.withResolvers();
    const from = performance.now();
    worker.postMessage(work, []);
    if ((await end.promise) !== "done") throw new Error("it was stopped");
    least = Math.min(least, performance.now() - from);
  }
  worker.terminate();
  return least;
}

async function leastMsInNode({ work, runs }: { work: RunWork; runs: number }): Promise<number> {
  let least = Number.POSITIVE_INFINITY;
  for (let run = 0; run < runs; run++) {
    const from = performance.now();
    const steps = runScenario(work);
    while ((await steps.next()).done !== true);
    least = Math.min(least, performance.now() - from);
  }
  return least;
}

/** Of the time that Node needs: a machine that is busy is so for both. */
const MOST_TIMES = 2.5;

test.each([
  { requests: 10_000, runs: 12 },
  { requests: 1_000_000, runs: 1 },
])("a run of $requests requests takes as long as in Node", async ({ requests, runs }) => {
  const { url } = await startSite();
  const page = await openServed(url, {}, "playground/");
  await page.locator("html[data-ready]").waitFor();
  const measured = { work: workOf(requests), runs };
  const inNode = await leastMsInNode(measured);
  const inPage = await page.evaluate(leastMs, measured);
  expect(inPage).toBeGreaterThan(1);
  expect(inPage).toBeLessThan(MOST_TIMES * inNode + 20);
});
