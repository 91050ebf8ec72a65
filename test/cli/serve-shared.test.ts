// `weir serve` over records that several share: two gateways, of which one is several processes.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import {
  isInstalled,
  startPostgres,
  type PostgresServer,
} from "../gateway/management/records/postgres-server.ts";
import { startRedis, type RedisServer } from "../redis/server.ts";
import { redisIsThere } from "../redis/there.ts";
import { endAll, receiver } from "../gateway/management/http/receivers.ts";
import { sendRequest, CONFIG, FILES, SECRET, serving } from "./serving.ts";
import { folderWith } from "./weir.ts";

const MAY = (redisIsThere && isInstalled) || process.env["CI"] !== undefined;
const AT_LATEST_MS = 1_000;

describe.skipIf(!MAY)("over one PostgreSQL and one Redis", () => {
  let postgres: PostgresServer;
  let redis: RedisServer;
  beforeAll(async () => {
    [postgres, redis] = await Promise.all([startPostgres(), startRedis()]);
  });
  afterAll(() => Promise.all([postgres.stop(), redis.stop()]));

  test("every process applies changes of any gateway, and a key's budgets are shared", async () => {
    const environment = {
      WEIR_RECORDS: await postgres.database("shared"),
      WEIR_SECRETS_KEY: "of-this-installation-and-of-no-other",
      WEIR_ADMIN_SECRET: SECRET,
      WEIR_UPSTREAM: "echo",
    };
    const world = `apis: { orders: { listen: /orders } }
policies: { p: { rate: 5, per: 600, apis: [orders] } }
gateway: { algorithm: fixed_window }
`;
    const flags = ["--store", redis.url];
    const one = await serving(
      folderWith({ "world.yaml": world }),
      [...flags, "--world", "world.yaml"],
      environment,
    );
    const several = await serving(folderWith({}), [...flags, "--workers", "2"], environment);
    const admin = async (at: string, method: string, path: string, body?: object) => {
      const { status, text } = await sendRequest(`${at}/admin-api/admin/org/keys${path}`, {
        method,
        "admin-auth": SECRET,
        ...(body === undefined
          ? {}
          : { body: JSON.stringify(body), "content-type": "application/json" }),
      });
      expect([status, text]).toEqual([200, expect.anything()]);
      return JSON.parse(text) as Record<string, unknown>;
    };
    const { key } = await admin(several.admin, "POST", "", { key_id: "k", apply_policies: ["p"] });
    const statuses = async (at: string, count: number): Promise<readonly number[]> => {
      const headers = { authorization: String(key) };
      const all = Array.from({ length: count }, () => sendRequest(`${at}/orders`, headers));
      return (await Promise.all(all)).map(({ status }) => status);
    };
    // The gateway that accepted it has two processes, and both apply it before the response.
    expect(await statuses(several.gateway, 4)).toEqual([200, 200, 200, 200]);
    expect(await statuses(one.gateway, 1)).toEqual([200]);
    expect(await statuses(one.gateway, 1)).toEqual([429]);
    for (const { admin: at } of [one, several]) {
      const { budgets } = await admin(at, "GET", "/k/budgets");
      expect(budgets).toMatchObject([{ budget: "key/600000000us|key:k", remaining: 0 }]);
    }
    await admin(one.admin, "POST", "/k/budgets/reset", {});
    expect(await statuses(several.gateway, 2)).toEqual([200, 200]);
    await admin(one.admin, "PUT", "/k", { is_inactive: true });
    const answeredMs = performance.now();
    expect(await statuses(one.gateway, 1)).toEqual([403]);
    // Whichever process has it: several in a row.
    for (let agreed = 0; agreed < 6;)
      agreed = (await statuses(several.gateway, 1))[0] === 403 ? agreed + 1 : 0;
    const appliedMs = performance.now();
    // The same six again, by which a busy machine is known: nothing is waited for any more.
    for (let i = 0; i < 6; i++) expect(await statuses(several.gateway, 1)).toEqual([403]);
    const sixMs = performance.now() - appliedMs;
    expect(appliedMs - answeredMs).toBeLessThan(AT_LATEST_MS + 10 * sixMs);
    await admin(several.admin, "PUT", "/k", { is_inactive: false });
    expect(await statuses(several.gateway, 6)).not.toContain(403);
    // Both processes meet a damaged record, and it is reported once.
    const { key: other } = await admin(one.admin, "POST", "", { key_id: "torn", rate: 1, per: 1 });
    await postgres.query("update records set document = 'no' where id = 'torn'", "shared");
    for (let n = 0; n < 20; n++) {
      const { status } = await sendRequest(`${several.gateway}/orders`, {
        authorization: String(other),
      });
      expect(status).toBe(403);
    }
    await several.waitFor("records: keys torn is damaged");
    expect(several.output().match(/keys torn is damaged/g)).toHaveLength(1);
    const ready = await sendRequest(`${several.admin}/ready`);
    const well = { status: "ready", store: "answers", records: "answers" };
    expect(JSON.parse(ready.text)).toMatchObject({ ...well, workers: [well, well] });
    for (const { kill, exit } of [one, several]) {
      kill("SIGTERM");
      expect(await exit).toBe(0);
    }
  });

  test("settings that a reload changes are applied by every process", async () => {
    const folder = folderWith(FILES);
    const environment = {
      WEIR_RECORDS: await postgres.database("reloaded"),
      WEIR_SECRETS_KEY: "of-this-installation-and-of-no-other",
      WEIR_EVENT_COOLDOWN: "1s",
    };
    const served = await serving(
      folder,
      [...CONFIG, "--store", redis.url, "--workers", "2"],
      environment,
    );
    const { url, received } = await receiver();
    onTestFinished(endAll);
    const made = await sendRequest(`${served.admin}/portal/portal-api/webhooks`, {
      method: "POST",
      authorization: readFileSync(join(folder, ".weir/portal-secret"), "utf8").trim(),
      "content-type": "application/json",
      body: JSON.stringify({ URL: url, Events: ["RatelimitExceeded"] }),
    });
    expect([made.status, made.text]).toEqual([201, expect.anything()]);
    const settings = join(folder, "conf/weir.yaml");
    writeFileSync(settings, `${readFileSync(settings, "utf8")}webhook_allow: ["127.0.0.0/8:*"]\n`);
    served.kill("SIGHUP");
    await served.waitFor("weir: reloaded");
    for (let i = 0; i < 12; i++)
      await sendRequest(`${served.gateway}/orders`, { authorization: "alice" });
    await expect.poll(() => received.length).toBeGreaterThan(0);
  });
});
