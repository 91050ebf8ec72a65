// Long lists delay no other request of the gateway (MGT-4, MGT-C3).
import { mkdtempSync, rmSync } from "node:fs";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as sleep } from "node:timers/promises";
import type { InjectOptions } from "fastify";
import { expect, onTestFinished, test } from "vitest";
import { micros } from "#src/kit/units.ts";
import { NO_BUDGETS } from "#src/gateway/management/budgets.ts";
import { userView, type User } from "#src/gateway/management/families/user.ts";
import { liveConfiguration } from "#src/gateway/management/live-configuration.ts";
import { readJson, writeJson } from "#src/gateway/management/json.ts";
import type { Management } from "#src/gateway/management/management.ts";
import { recordsInFile } from "#src/gateway/management/records/sqlite.node.ts";
import { sealFields } from "#src/gateway/management/sealed.ts";
import { requireValue } from "#src/kit/reading/failure.ts";
import { secretsWith } from "./secrets/secrets-with.ts";
import { managementApp } from "#src/gateway/management/http/management.node.ts";
import { BASES, caller, CREDENTIALS } from "./app.ts";

const USERS = Number(process.env["WEIR_LONG_LIST"] ?? 10_000);
const SECRETS = secretsWith("of this test");

const pad = (index: number): string => String(index).padStart(7, "0");

/** Users with sealed access keys, and as many keys, in a file; inserted without the records' own interface. */
async function manyIn(): Promise<Management> {
  const folder = mkdtempSync(join(tmpdir(), "weir-lists-"));
  const file = join(folder, "weir.db");
  const made = requireValue(await recordsInFile(file));
  await made.close();
  const database = new DatabaseSync(file);
  database.exec("pragma synchronous = off; begin");
  const insert = database.prepare(
    "insert into records (family, id, version, document, found_by, text) values (?, ?, 1, ?, ?, ?)",
  );
  for (let i = 0; i < USERS; i++) {
    const id = `u${pad(i)}`;
    const email = `ann${pad(i)}@example.com`;
    const user = { access_key: `secret-${i}`, email_address: email, first_name: "Ann" };
    insert.run(
      "users",
      id,
      writeJson(sealFields(SECRETS, "users", id, user)),
      email,
      `${email}\nann `,
    );
    insert.run("keys", `k${pad(i)}`, "{}", `hash-${i}`, null);
  }
  database.exec("commit");
  database.close();
  const records = requireValue(await recordsInFile(file));
  onTestFinished(async () => {
    await records.close();
    rmSync(folder, { recursive: true });
  });
  const force = await liveConfiguration(records, SECRETS);
  return {
    records,
    secrets: SECRETS,
    features: { catalogues: true, pageSize: 10 },
    nowUs: () => micros(1_700_000_000_000_000),
    newId: () => "made",
    configuration: force.configuration,
    budgets: NO_BUDGETS,
    report: console.error,
    applyChanges: async () => {
      await force.applyChanges();
    },
  };
}

interface Timed<T> {
  readonly did: T;
  readonly delayMs: number; // the longest time without a turn for others; includes other work of the machine
  readonly workedMs: number; // the most that this thread worked in one turn, which no other work makes longer
}

async function measure<T>(work: () => Promise<T>): Promise<Timed<T>> {
  const delay = monitorEventLoopDelay({ resolution: 1 });
  let most = 0;
  let last = process.threadCpuUsage();
  const look = (): void => {
    const { user, system } = process.threadCpuUsage(last);
    most = Math.max(most, user + system);
    last = process.threadCpuUsage();
    next = setImmediate(look);
  };
  let next = setImmediate(look);
  delay.enable();
  await sleep(5);
  delay.reset();
  const did = await work();
  await sleep(5);
  clearImmediate(next);
  delay.disable();
  return { did, delayMs: delay.max / 1e6, workedMs: most / 1e3 };
}

test("lists of all users, all matches and all key ids leave turns to other requests", async () => {
  const management = await manyIn();
  const app = await managementApp({
    management,
    log: console.error,
    credentials: () => CREDENTIALS,
    bases: BASES,
  });
  const dashboard = { authorization: `Bearer ${CREDENTIALS.dashboard}` };
  const send = async (injected: InjectOptions): Promise<string> => {
    const response = await app.inject({ ...injected, payloadAsStream: true });
    let text = "";
    for await (const piece of response.stream()) text += String(piece);
    expect(response.statusCode).toBe(200);
    return text;
  };
  const { records } = await management.records.list("users", null);
  const texts = records.map(({ document }) => writeJson(document));
  const whole = await measure(async () => {
    for (const text of texts) readJson(text); // as they were read
    return writeJson({ pages: 1, users: records.map((each) => userView(management, each)) });
  });
  const users = { url: "/dashboard/api/users?p=-1", headers: dashboard };
  const listed = await measure(() => send(users));
  const search = {
    url: "/dashboard/api/users/search?p=-1",
    payload: { filters: { query: "ANN" } },
  };
  const found = await measure(() => send({ ...search, method: "POST", headers: dashboard }));
  const keys = { url: "/admin-api/admin/org/keys?p=-1" };
  const ids = await measure(() => send({ ...keys, headers: { "admin-auth": CREDENTIALS.admin } }));
  expect(listed.did === whole.did && found.did === whole.did).toBe(true);
  const { data } = JSON.parse(ids.did) as { readonly data: { readonly keys: readonly string[] } };
  expect([data.keys.length, data.keys.at(-1)]).toEqual([USERS, `k${pad(USERS - 1)}`]);
  const inPieces = [listed, found, ids];
  if (process.env["WEIR_LONG_LIST"] !== undefined)
    console.log([whole, ...inPieces].map(({ delayMs, workedMs }) => ({ delayMs, workedMs })));
  // By processor time: how late the next turn comes depends on the other programs of the machine as well.
  expect(Math.max(...inPieces.map(({ workedMs }) => workedMs))).toBeLessThan(whole.workedMs / 4);
});

test("a list that cannot be read to its end is broken off, and does not look whole", async () => {
  const management = await manyIn();
  const app = await managementApp({
    management,
    credentials: () => CREDENTIALS,
    bases: BASES,
    log: console.error,
  });
  onTestFinished(() => app.close());
  const address = await app.listen({ port: 0, host: "127.0.0.1" });
  const response = await fetch(`${address}/dashboard/api/users?p=-1`, {
    headers: { authorization: `Bearer ${CREDENTIALS.dashboard}` },
  });
  expect(response.status).toBe(200);
  await management.records.close();
  await expect(response.text()).rejects.toThrow("terminated");
  const next = await app.inject({
    url: "/dashboard/api/users?p=-1",
    headers: { authorization: `Bearer ${CREDENTIALS.dashboard}` },
  });
  expect(next.statusCode).toBe(503);
}, 60_000);

test("a list in pieces equals the complete list, in every API", async () => {
  const { keep, studio, dashboard, admin, broker, portal } = await caller();
  const names = Array.from({ length: 201 }, (_, i) => `n${pad(i)}`);
  for (const id of names) {
    await keep("users", id, { email_address: `${id}@example.com`, password_max_days: 1 });
    await keep("profiles", id, { ID: id, Name: id });
    await keep("catalogues", id, { data: { type: "catalogues", attributes: { name: id } } });
    await keep("webhooks", id, { ID: id, URL: "http://a" });
    await keep("policies", id, { id });
  }
  for (let i = 0; i < 1_001; i++) await keep("keys", `k${pad(i)}`, {});
  const users = (await dashboard("GET /api/users?p=-1")).body as {
    readonly users: readonly User[];
  };
  expect(users).toMatchObject({ pages: 1 });
  expect(users.users.map(({ id }) => id)).toEqual(names);
  const idsIn = (body: unknown, ...[name, ...rest]: readonly string[]): readonly unknown[] =>
    name === undefined
      ? (body as readonly unknown[])
      : idsIn((body as Record<string, unknown>)[name], ...rest);
  const lists: readonly (readonly [body: unknown, at: readonly string[], id: string])[] = [
    [(await studio("GET /api/v1/catalogues?all=true")).body, ["data"], "id"],
    [(await dashboard("GET /api/portal/policies?p=-1")).body, ["Data"], "id"],
    [(await broker("GET /api/profiles")).body, ["Data"], "ID"],
    [(await portal("GET /portal-api/webhooks")).body, [], "ID"],
  ];
  for (const [body, at, id] of lists)
    expect(idsIn(body, ...at).map((each) => (each as Record<string, unknown>)[id])).toEqual(names);
  expect((await admin("GET /admin/org/keys?p=-1")).body).toMatchObject({
    data: { keys: { length: 1_001, 1_000: "k0001000" } },
    pages: 1,
  });
});
