import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import {
  AS_IT_IS,
  sendRequest,
  CONFIG,
  FILES,
  SECRET,
  secretIn,
  serving,
  SETTINGS,
  WORLD,
} from "./serving.ts";
import { folderWith } from "./weir.ts";

test("the admin listener accepts only its secret, and reports errors in one form", async () => {
  const { admin } = await serving(folderWith({}), [], {
    WEIR_ADMIN_SECRET: "open-sesame-open-sesame",
  });
  const reload = `${admin}/admin/reload`;
  const answers = await Promise.all([
    sendRequest(reload, { method: "POST" }),
    sendRequest(reload, { method: "POST", "admin-auth": "" }),
    sendRequest(reload, { method: "POST", "admin-auth": "open-sesam" }),
    sendRequest(`${admin}/nothing`, {}),
    sendRequest(`${admin}/nothing`, { "admin-auth": "open-sesame-open-sesame" }),
    sendRequest(reload, { "admin-auth": "open-sesame-open-sesame" }),
    sendRequest(reload, {
      method: "POST",
      "admin-auth": "open-sesame-open-sesame",
      body: "x".repeat(1_100_000),
    }),
    sendRequest(reload, { method: "POST", "admin-auth": "open-sesame-open-sesame" }),
  ]);
  expect(answers.map(({ status }) => status)).toEqual([401, 401, 401, 401, 404, 405, 413, 200]);
  expect(answers[5].headers.allow).toBe("POST");
  for (const { text } of answers.slice(0, -1))
    expect(JSON.parse(text)).toEqual({ Status: "Error", Message: expect.any(String), Meta: null });
});

test("a reload takes all of a good configuration and nothing of a bad one, and counts go on", async () => {
  const folder = folderWith(FILES);
  const { gateway, admin, kill, waitFor, output } = await serving(folder, CONFIG, AS_IT_IS);
  const orders = async (): Promise<number> =>
    (await sendRequest(`${gateway}/orders`, { authorization: "alice" })).status;
  const world = (text: string): void => writeFileSync(join(folder, "conf/world.yaml"), text);
  const reload = () =>
    sendRequest(`${admin}/admin/reload`, { method: "POST", "admin-auth": secretIn(folder) });
  expect([await orders(), await orders(), await orders()]).toEqual([200, 200, 429]);

  world(WORLD.replace("rate: 2", "rate: 3"));
  expect(JSON.parse((await reload()).text)).toEqual({
    Status: "OK",
    Message: "reloaded",
    Meta: { apis: 1, policies: 0, keys: 1, unchanged: [] },
  });
  expect([await orders(), await orders()]).toEqual([200, 429]);

  world(WORLD.replace("rate: 2", "rate: 9").replace("alice", "ratee: 3\n  alice"));
  const refused = await reload();
  expect(refused.status).toBe(400);
  expect(JSON.parse(refused.text)).toMatchObject({
    Status: "Error",
    Message: expect.stringContaining("conf/world.yaml:4:"),
  });
  expect(await orders()).toBe(429);
  expect(output()).toContain("rejected, and the old one stays in effect:\nconf/world.yaml:4:");

  world(WORLD.replace("rate: 2", "rate: 5"));
  writeFileSync(
    join(folder, "conf/weir.yaml"),
    `${SETTINGS}listen: { host: localhost }\nadmin: { secret: another-one-of-mine }\n`,
  );
  kill("SIGHUP");
  await waitFor("weir: listen.host has changed; restart the gateway to apply it");
  expect([await orders(), await orders(), await orders()]).toEqual([200, 200, 429]);
  expect((await reload()).status).toBe(401);
});

test.each([
  ["loopback", [200, 200]],
  ["off", [200, 404]],
])("with metrics at %s the two listeners answer %j", async (where, statuses) => {
  const environment = { ...AS_IT_IS, WEIR_METRICS: where };
  const { admin, gateway } = await serving(folderWith(FILES), CONFIG, environment);
  for (let i = 0; i < 3; i++) await sendRequest(`${gateway}/orders`, { authorization: "alice" });
  const responses = await Promise.all([admin, gateway].map((at) => sendRequest(`${at}/metrics`)));
  expect(responses.map(({ status }) => status)).toEqual(statuses);
  for (const { text } of responses.filter(({ status }) => status === 200)) {
    expect(text).toContain('weir_requests_total{api="orders",status="200"} 2\n');
    expect(text).toContain('weir_requests_total{api="orders",status="429"} 1\n');
    expect(text).not.toContain("alice");
  }
});

test("a file that was deleted since the start is an error, and no demo", async () => {
  const folder = folderWith({ "weir.yaml": SETTINGS, "world.yaml": WORLD });
  const { gateway, kill, waitFor } = await serving(folder, [], AS_IT_IS);
  rmSync(join(folder, "weir.yaml"));
  kill("SIGHUP");
  await waitFor("the old one stays in effect:\nweir.yaml: there is no such file or folder");
  expect((await sendRequest(`${gateway}/orders`, { authorization: "alice" })).status).toBe(200);
});

test("a reload under traffic drops no request", async () => {
  const folder = folderWith({
    ...FILES,
    "conf/world.yaml": WORLD.replace("rate: 2", "rate: 1000000"),
  });
  const { gateway, kill, waitFor } = await serving(folder, CONFIG, AS_IT_IS);
  const statuses: number[] = [];
  const wanted = 200;
  const client = async (): Promise<void> => {
    while (statuses.length < wanted) {
      const { status } = await sendRequest(`${gateway}/orders`, { authorization: "alice" });
      statuses.push(status);
      if (statuses.length % 40 === 20) kill("SIGHUP");
    }
  };
  await Promise.all(Array.from({ length: 8 }, client));
  await waitFor("weir: reloaded");
  expect(new Set(statuses)).toEqual(new Set([200]));
});

test("a dry run returns what a request would meet, and spends nothing", async () => {
  const environment = { ...AS_IT_IS, WEIR_ADMIN_SECRET: SECRET };
  const { admin, gateway } = await serving(folderWith(FILES), CONFIG, environment);
  const dryRun = async (body: unknown): Promise<readonly [number, Record<string, unknown>]> => {
    const text = typeof body === "string" ? body : JSON.stringify(body);
    const response = await sendRequest(`${admin}/admin/dry-run`, {
      method: "POST",
      "admin-auth": SECRET,
      body: text,
    });
    return [response.status, JSON.parse(response.text) as Record<string, unknown>];
  };
  const request = { path: "/orders/7?x=1", key: "alice" };
  for (let i = 0; i < 3; i++)
    expect(await dryRun(request)).toMatchObject([
      200,
      { passes: true, matched: [{ remaining: 2 }] },
    ]);
  for (let i = 0; i < 2; i++) await sendRequest(`${gateway}/orders`, { authorization: "alice" });
  const full = { passes: false, status: 429, matched: [{ remaining: 0, refuses: true }] };
  expect(await dryRun(request)).toMatchObject([200, full]);
  expect(
    await dryRun({ path: "/orders", headers: { Authorization: "Bearer alice" } }),
  ).toMatchObject([200, full]);
  expect(await dryRun({ path: "/orders", credential: "mallory" })).toMatchObject([
    200,
    { status: 403 },
  ]);

  const wrong = async (body: unknown): Promise<unknown> => {
    const [status, { Status, Message, Meta }] = await dryRun(body);
    return [status, Status, Message, Meta];
  };
  const bad = (message: string): unknown => [400, "Error", message, null];
  expect(await wrong("{")).toEqual(bad("The body is not JSON"));
  expect(await wrong([])).toEqual(
    bad(
      "The body: [] is not a dry run; write a map of path, method, key, credential, headers, address",
    ),
  );
  expect(await wrong({ path: "orders", kye: "a" })).toEqual(
    bad(
      'kye: "kye" is not a field of a dry run; did you mean "key"?\npath: "orders" is not a path that begins with a slash',
    ),
  );
  expect(await wrong({ ...request, credential: "alice" })).toEqual(
    bad("the request has more than one of: key, credential, a header with a credential; keep one"),
  );
});

test("a dry run has the address and the headers that it gives (LIM-C17)", async () => {
  const world = `apis: { orders: { listen: /orders, key_by: { header: X-Client } } }
keys: { alice: { apis: [orders], rate: 2, per: 60 } }
`;
  const files = { ...FILES, "conf/world.yaml": world };
  const { admin } = await serving(folderWith(files), CONFIG, {
    ...AS_IT_IS,
    WEIR_ADMIN_SECRET: SECRET,
  });
  const budgetOf = async (more: object): Promise<unknown> => {
    const body = JSON.stringify({ path: "/orders", key: "alice", ...more });
    const response = await sendRequest(`${admin}/admin/dry-run`, {
      method: "POST",
      "admin-auth": SECRET,
      body,
    });
    const { matched, Message } = JSON.parse(response.text) as Record<string, unknown>;
    return (matched as { budget: string }[] | undefined)?.[0]?.budget ?? Message;
  };
  expect(await budgetOf({})).toBe("key/60000000us|ip:127.0.0.1");
  expect(await budgetOf({ address: "2001:db8::7" })).toBe("key/60000000us|ip:2001:db8::/64");
  expect(await budgetOf({ headers: { "X-Client": "red" } })).toBe(
    "key/60000000us|header:x-client:red",
  );
  expect(await budgetOf({ address: "host" })).toBe('address: "host" is not an address');
});

test("a client of the admin listener may read liveness and readiness without the secret", async () => {
  const { admin, gateway } = await serving(folderWith(FILES), CONFIG, AS_IT_IS);
  for (const where of [admin, gateway])
    for (const page of ["/hello", "/ready"])
      expect((await sendRequest(`${where}${page}`)).status).toBe(200);
});

test("requests go on while a large world is read", async () => {
  const folder = folderWith(FILES);
  const environment = { ...AS_IT_IS, WEIR_ADMIN_SECRET: SECRET };
  const { gateway, admin } = await serving(folder, CONFIG, environment);
  const keys = Array.from(
    { length: 10_000 },
    (_, i) => `  key-${i}: { key_id: k${i}, apis: [orders] }\n`,
  );
  const large = WORLD.replace("keys:\n", `keys:\n${keys.join("")}`);
  writeFileSync(join(folder, "conf/world.yaml"), large);
  const reading = { isOver: false };
  const reload = sendRequest(`${admin}/admin/reload`, { method: "POST", "admin-auth": SECRET });
  void reload.finally(() => (reading.isOver = true));
  let answered = 0;
  while (!reading.isOver) {
    expect((await sendRequest(`${gateway}/hello`)).status).toBe(200);
    answered++;
  }
  expect(JSON.parse((await reload).text)).toMatchObject({ Meta: { keys: 10_001 } });
  expect(answered).toBeGreaterThan(10);
});
