// `weir serve` over a store of its own: several processes, and a store that is not there.
import { describe, expect, onTestFinished, test } from "vitest";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { ReloadProgress } from "#src/gateway/serving/reload-of-workers.ts";
import { startRedis, freePort } from "../redis/server.ts";
import { redisIsThere } from "../redis/there.ts";
import { AS_IT_IS, sendRequest, CONFIG, FILES, SECRET, serving, WORLD } from "./serving.ts";
import { folderWith, weir } from "./weir.ts";

test("several processes are refused where each would count for itself", async () => {
  const { code, err } = await weir(
    folderWith(FILES),
    ["serve", ...CONFIG, "--workers", "3"],
    AS_IT_IS,
  );
  const problem =
    "--workers error SET-TOGETHER 3 workers would each count in their own memory and multiply every limit by 3; set store.url to a store that they share, such as redis://127.0.0.1:6379";
  expect([code, err.trimEnd().split("\n").at(-1)]).toEqual([2, problem]);
});

test("a store that is not there is one sentence, which names the setting that starts without it", async () => {
  const url = `redis://:secret@127.0.0.1:${await freePort()}`;
  const { code, err } = await weir(
    folderWith(FILES),
    ["serve", ...CONFIG, "--store", url],
    AS_IT_IS,
  );
  expect(code).toBe(3);
  expect(err.trimEnd().split("\n").at(-1)).toMatch(
    /^weir: no store responds at redis:\/\/\*\*\*@127\.0\.0\.1:\d+: .*ECONNREFUSED.*; start the store, or set store\.required: false to start without it$/,
  );
  const anyway = await serving(folderWith(FILES), [...CONFIG, "--store", url], {
    ...AS_IT_IS,
    WEIR_STORE_REQUIRED: "false",
  });
  expect(anyway.output()).toContain("until a store responds, on_store_error applies");
  expect(anyway.output()).not.toContain("secret@");
  expect((await sendRequest(`${anyway.gateway}/hello`)).status).toBe(200);
});

/** On a busy machine the store may need longer than usual, and without it each worker would give out a share of its own. */
const PATIENT = WORLD.replace("fixed_window", "fixed_window, store_timeout: 30");

describe.skipIf(!redisIsThere)("over Redis", () => {
  test("a gateway that cannot subscribe to heartbeats does not start", async () => {
    const redis = await startRedis(() => ["user default on nopass ~* resetchannels +@all"]);
    onTestFinished(redis.stop);
    const { code, err } = await weir(
      folderWith(FILES),
      ["serve", ...CONFIG, "--store", redis.url],
      AS_IT_IS,
    );
    expect(code).toBe(2);
    expect(err).toMatch(/^weir: the store rejects heartbeats: NOPERM /m);
  });

  test("workers count together, are reloaded together, and one that dies is replaced", async () => {
    const redis = await startRedis();
    onTestFinished(redis.stop);
    const folder = folderWith({ ...FILES, "conf/world.yaml": PATIENT });
    const { gateway, admin, waitFor, output, kill, exit } = await serving(
      folder,
      [...CONFIG, "--store", redis.url, "--workers", "2"],
      { ...AS_IT_IS, WEIR_ADMIN_SECRET: SECRET },
    );
    const orders = async (count: number): Promise<readonly number[]> => {
      const all = Array.from({ length: count }, () =>
        sendRequest(`${gateway}/orders`, { authorization: "alice" }),
      );
      return (await Promise.all(all)).map(({ status }) => status).toSorted((a, b) => a - b);
    };
    const post = (path: string, body = "") =>
      sendRequest(`${admin}${path}`, { method: "POST", "admin-auth": SECRET, body });
    expect(await orders(6)).toEqual([200, 200, 429, 429, 429, 429]);

    // More keys than a worker takes over at once.
    const more = Array.from(
      { length: 600 },
      (_, i) => `  k${i}: { apis: [orders], rate: 7, per: 60 }\n`,
    );
    const world = PATIENT.replace("rate: 2", "rate: 4").replace(
      "gateway:",
      `${more.join("")}gateway:`,
    );
    writeFileSync(join(folder, "conf/world.yaml"), world);
    const reloaded = await post("/admin/reload");
    const pids = [...output().matchAll(/worker (\d+) serves/g)].map(([, pid]) => Number(pid));
    const { Meta } = JSON.parse(reloaded.text) as { Meta: { workers: ReloadProgress } };
    expect([reloaded.status, new Set(Meta.workers.reloaded), Meta.workers.pending]).toEqual([
      200,
      new Set(pids),
      [],
    ]);
    for (const key of ["k0", "k599"]) {
      const { text } = await post("/admin/dry-run", JSON.stringify({ path: "/orders", key }));
      expect(JSON.parse(text)).toMatchObject({ matched: [{ rate: 7 }] });
    }
    expect(await orders(6)).toEqual([200, 200, 429, 429, 429, 429]);
    const dryRun = await post("/admin/dry-run", '{"path": "/orders", "key": "alice"}');
    expect(JSON.parse(dryRun.text)).toMatchObject({
      status: 429,
      matched: [{ rate: 4, remaining: 0 }],
    });

    const { text } = await sendRequest(`${admin}/metrics`);
    expect(text).toContain('weir_requests_total{api="orders",status="200"} 4\n');
    expect(text).toContain('weir_requests_total{api="orders",status="429"} 8\n');
    expect(text).toContain("weir_gateways 2\n");
    expect(text).toMatch(/^weir_workers 2$/m);
    expect(text).toMatch(/^weir_workers_up 2$/m);
    expect((await sendRequest(`${gateway}/metrics`)).text).toContain('status="429"} 8\n'); // of both, whichever responds

    const [pid = ""] = [...output().matchAll(/worker (\d+) serves/g)].map(([, pid]) => pid);
    process.kill(Number(pid), "SIGKILL");
    await waitFor(`worker ${pid} has ended (SIGKILL); a replacement starts in 100 ms`);
    expect((await sendRequest(`${admin}/ready`)).text).toContain('"1 of 2 do not respond"');
    expect((await sendRequest(`${admin}/metrics`)).text).toMatch(/^weir_workers_up 1$/m);
    await waitFor(" serves", 3);
    // The other one may not have received its heartbeat yet.
    const gateways = expect.any(Number) as number;
    const well = { status: "ready", reason: null, store: "answers", gateways };
    const worker = { ...well, pid: expect.any(Number) as number };
    expect(JSON.parse((await sendRequest(`${admin}/ready`)).text)).toEqual({
      ...well,
      workers: [worker, worker],
    });
    expect(await orders(4)).toEqual([429, 429, 429, 429]);
    kill("SIGTERM");
    expect(await exit).toBe(0);
  });
});
