// What an operator learns of the database and the store of a gateway of two processes: at /ready, in the metrics and on
// stderr, with the log off.
import { describe, expect, onTestFinished, test } from "vitest";
import { isInstalled, startPostgres } from "../gateway/management/records/postgres-server.ts";
import { noteFigures } from "../redis/figures.ts";
import { startRedis } from "../redis/server.ts";
import { redisIsThere } from "../redis/there.ts";
import { sendRequest, CONFIG, FILES, serving } from "./serving.ts";
import { folderWith, weir } from "./weir.ts";

const MAY = (redisIsThere && isInstalled) || process.env["CI"] !== undefined;
const SECRET = "of-the-operator-alone";
const PATIENCE = { timeout: 30_000, interval: 100 };

describe.skipIf(!MAY)("with workers over one PostgreSQL and one Redis", () => {
  test("each worker reports an outage, and stderr has it once", async () => {
    const [postgres, redis] = await Promise.all([startPostgres(), startRedis()]);
    onTestFinished(redis.stop);
    onTestFinished(postgres.stop);
    const { gateway, admin, output, waitFor } = await serving(
      folderWith(FILES),
      [...CONFIG, "--store", redis.url, "--workers", "2"],
      {
        WEIR_RECORDS: await postgres.database("health"),
        WEIR_SECRETS_KEY: "of-this-installation-and-of-no-other",
        WEIR_ADMIN_SECRET: SECRET,
      },
    );
    const ready = async (): Promise<unknown> =>
      JSON.parse((await sendRequest(`${admin}/ready`)).text);
    const metrics = async (): Promise<readonly string[]> =>
      (await sendRequest(`${admin}/metrics`)).text
        .split("\n")
        .filter((line) => /^weir_(store_up|records_\w+) /.test(line));
    const UP = ["weir_store_up 1", "weir_records_up 1", "weir_records_writable 1"];
    const well = { store: "answers", records: "answers" };
    expect(await ready()).toMatchObject({ status: "ready", ...well, workers: [well, well] });
    expect(await metrics()).toEqual(UP);

    const made = await sendRequest(`${admin}/admin-api/admin/org/keys`, {
      method: "POST",
      "admin-auth": SECRET,
      "content-type": "application/json",
      body: JSON.stringify({ rate: 1_000, per: 60, access_rights: { orders: {} } }),
    });
    expect([made.status, made.text]).toEqual([200, expect.anything()]);
    const { key } = JSON.parse(made.text) as { readonly key: string };
    await postgres.pause();
    const pausedMs = performance.now();
    // Both processes know what the gateway has written just before, though no request has shown the key to them yet.
    for (let request = 0; request < 8; request++)
      expect((await sendRequest(`${gateway}/orders`, { authorization: key })).status).toBe(200);
    const hanging = { ...well, records: "away" };
    await expect
      .poll(ready, PATIENCE)
      .toMatchObject({ status: "ready", ...hanging, workers: [hanging, hanging] });
    const noticedMs = performance.now() - pausedMs;
    await expect
      .poll(metrics, PATIENCE)
      .toEqual(["weir_store_up 1", "weir_records_up 0", "weir_records_writable 0"]);
    await waitFor("weir: records: the database does not respond");
    await postgres.resume();
    const resumedMs = performance.now();
    await waitFor("weir: records: the database responds again");
    await expect.poll(metrics, PATIENCE).toEqual(UP);
    noteFigures("PostgreSQL stands still", { noticedMs, backMs: performance.now() - resumedMs });

    await redis.kill();
    await waitFor(
      `weir: the store ${redis.url} does not respond; until a store responds, on_store_error applies`,
    );
    const lost = { ...well, store: "away" };
    await expect.poll(ready, PATIENCE).toMatchObject({ ...lost, workers: [lost, lost] });
    expect((await metrics())[0]).toBe("weir_store_up 0");
    await redis.restart();
    await waitFor(`weir: the store ${redis.url} responds again`);
    await expect.poll(metrics, PATIENCE).toEqual(UP);
    expect(output().match(/does not respond/g)).toHaveLength(2);
  });
});

describe.skipIf(!isInstalled && process.env["CI"] === undefined)("at the start", () => {
  test("an unreachable database is exit code 3, and one that rejects the login is 2", async () => {
    const postgres = await startPostgres();
    onTestFinished(postgres.stop);
    const url = await postgres.database("start");
    const folder = folderWith(FILES);
    const code = async (command: readonly string[], records: string): Promise<number | null> => {
      const environment = { WEIR_RECORDS: records, WEIR_SECRETS_KEY: "k".repeat(32) };
      return (await weir(folder, [...command, ...CONFIG], environment)).code;
    };
    expect(await code(["serve"], url.replace(/:[^:@]+@/, ":wrong@"))).toBe(2);
    await postgres.kill();
    for (const command of [
      ["serve"],
      ["audit"],
      ["import", "conf/world.yaml"],
      ["export"],
      ["tokens"],
      ["tokens", "add", "ci", "--role", "read"],
      ["webhooks"],
      ["secrets", "rotate"],
    ])
      expect([command, await code(command, url)]).toEqual([command, 3]);
  });
});
