// Gateways of others as controls: started for the benchmark's key and upstream, measured with all of their processes.
import { describe, expect, onTestFinished, test } from "vitest";
import { findControlOfOthers } from "#src/studies/bench/controls/of-others.node.ts";
import { figuresOf, pidsOf } from "#src/studies/bench/resources/processes.node.ts";
import { startControl } from "#src/studies/bench/servers.node.ts";
import { termsOf } from "#src/studies/bench/table.ts";
import { isFailure, requireValue } from "#src/kit/reading/failure.ts";
import { cellOf, resultOf } from "./bench-results.ts";

const NAME = "weir/token_bucket"; // needs no installation

describe("a gateway of others", () => {
  test("admits the key of the benchmark, and its processes end with it", async () => {
    const upstream = requireValue(await startControl("upstream", { upstream: null, store: null }));
    onTestFinished(upstream.stop);
    const control = requireValue(await findControlOfOthers(NAME));
    const served = requireValue(
      await startControl(control, { upstream: new URL(upstream.url).origin, store: null }),
    );
    const pid = served.pid!;
    try {
      const headers = { Authorization: "bench-0" };
      const [known, stranger] = await Promise.all([
        fetch(served.url, { headers }),
        fetch(served.url, { headers: { Authorization: "other" } }),
      ]);
      expect([known.status, await known.json()]).toEqual([
        200,
        { method: "GET", target: "/orders/7" },
      ]);
      expect(stranger.status).toBe(403);
      const figures = await figuresOf(pid);
      expect(figures!.cpuUs).toBeGreaterThan(50_000);
      expect(figures!.rssBytes).toBeGreaterThan(20 * 2 ** 20);
    } finally {
      await served.stop();
    }
    await expect.poll(() => pidsOf(pid), { timeout: 5_000 }).toEqual([]);
  });

  test("that is not installed is missing, with the command that installs it", async () => {
    const home = process.env["WEIR_IMPLEMENTATIONS"];
    process.env["WEIR_IMPLEMENTATIONS"] = "/nowhere";
    onTestFinished(() => {
      if (home === undefined) delete process.env["WEIR_IMPLEMENTATIONS"];
      else process.env["WEIR_IMPLEMENTATIONS"] = home;
    });
    const control = requireValue(await findControlOfOthers("haproxy/rate"));
    const missing = await startControl(control, { upstream: "http://127.0.0.1:1", store: null });
    expect(isFailure(missing) && missing.message).toBe(
      "HAProxy stick tables 2.6.12 is not installed; run: weir implementations install haproxy",
    );
  });

  test("is listed with its algorithm, store and limit, and Weir's cells with theirs", async () => {
    const control = requireValue(await findControlOfOthers("spring-cloud-gateway"));
    const cells = [
      cellOf("base", { cpu: [1] }),
      cellOf("spring-cloud-gateway", { cpu: [2] }, control),
      cellOf("nginx", { cpu: [3] }, "nginx"),
      cellOf("upstream", { cpu: [4] }, "upstream"),
      cellOf("keys=many", { cpu: [5] }),
      cellOf("algorithm=fixed_window", { cpu: [6] }),
    ];
    expect(termsOf(resultOf(cells, []))).toEqual([
      "base, keys=many: fixed_window, counted in its memory",
      "(spring-cloud-gateway): counted in Redis, at most 100000 per 1 s for a key, which is never reached. A token bucket in Redis for each route and client, filled by the whole seconds of the clock of Redis. A restart takes too long for a limit that changes.",
      "(nginx): a leaky bucket, counted in its memory, with a limit that is never reached",
      "algorithm=fixed_window: counted in its memory",
    ]);
    expect(termsOf(resultOf(cells.slice(0, 1), []))).toEqual([]);
  });
});
