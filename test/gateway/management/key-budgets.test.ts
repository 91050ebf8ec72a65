import { expect, test } from "vitest";
import { IMMEDIATE_ALGORITHMS } from "#src/limiter/core/algorithms.ts";
import { serveRecords } from "./served.ts";

const KEY = {
  rate: 3,
  per: 60,
  quota_max: 10,
  quota_renewal_rate: 3600,
  access_rights: {
    a: { endpoints: [{ path: "/slow", methods: [{ name: "GET", limit: { rate: 2, per: 30 } }] }] },
    b: {},
  },
};
const OF_K = "/admin/org/keys/k/budgets";

test.each(IMMEDIATE_ALGORITHMS)(
  "%s: the budgets of a key are read without spending, and reset all or one (MGT-C11)",
  async (algorithm) => {
    const { admin, keep, key, burst } = await serveRecords({
      gateway: { algorithm, burst: "rate" },
    });
    await keep("apis", "b", { listen: "/b" });
    await key("k", KEY);
    const readBudgets = async (): Promise<unknown> => {
      const { status, body } = await admin(`GET ${OF_K}`);
      expect(status).toBe(200);
      const { key_id, budgets } = body as { key_id: string; budgets: Record<string, unknown>[] };
      expect(key_id).toBe("k");
      return Object.fromEntries(
        budgets.map(({ budget, level, apis, limit, remaining }) => [
          budget,
          [level, apis, limit, remaining],
        ]),
      );
    };
    const names = {
      slow: "key-endpoint/a/GET /slow/30000000us|key:k",
      root: "key/60000000us|key:k",
      quota: "quota/3600000000us|key:k",
    };
    const remainingOf = (slow: number, root: number, quota: number) => ({
      [names.slow]: ["key-endpoint", ["a"], 2, slow],
      [names.root]: ["key", ["a", "b"], 3, root],
      [names.quota]: ["quota", ["a", "b"], 10, quota],
    });
    expect(await readBudgets()).toEqual(remainingOf(2, 3, 10));
    expect(await burst(2)).toEqual([200, 200]);
    expect(await burst(1, "k", "/a/slow")).toEqual([200]);
    expect(await readBudgets()).toEqual(remainingOf(1, 1, 7));
    expect(await readBudgets()).toEqual(remainingOf(1, 1, 7));
    const one = await admin(`POST ${OF_K}/reset`, { budget: names.root });
    expect([one.status, one.body]).toEqual([
      200,
      { ID: "k", Status: "OK", Message: "Budgets reset", Meta: { budgets: [names.root] } },
    ]);
    expect(await readBudgets()).toEqual(remainingOf(1, 3, 7));
    expect(await burst(4, "k", "/b")).toEqual([200, 200, 200, 429]);
    const all = await admin(`POST ${OF_K}/reset`, {});
    expect(all.body).toMatchObject({ Meta: { budgets: Object.values(names) } });
    expect(await readBudgets()).toEqual(remainingOf(2, 3, 10));
    expect(await burst(4, "k", "/b")).toEqual([200, 200, 200, 429]);
  },
);

test("a reset refunds the spent budget, and leaves the allowance to its own rules (EVT-1)", async () => {
  const { admin, key, burst, events } = await serveRecords({
    gateway: { algorithm: "sliding_log" },
  });
  const smoothing = { enabled: true, threshold: 2, step: 2, trigger: 0.5, delay: 1 };
  await key("k", { rate: 8, per: 60, smoothing, access_rights: { a: {} } });
  const allowance = async (): Promise<unknown> => {
    const { body } = await admin(`GET ${OF_K}`);
    const [{ allowance, remaining }] = (body as { budgets: [Record<string, unknown>] }).budgets;
    return [allowance, remaining];
  };
  expect(await burst(3)).toEqual([200, 200, 429]);
  expect(await allowance()).toEqual([2, 0]);
  await admin(`POST ${OF_K}/reset`, {});
  expect(await allowance()).toEqual([2, 2]);
  expect(events.map(({ event }) => event)).toEqual(["RatelimitExceeded"]);
});

test.each([
  ["nobody", "GET", "/admin/org/keys/nobody/budgets", undefined, 404, "Key not found"],
  ["nobody", "POST", "/admin/org/keys/nobody/budgets/reset", {}, 404, "Key not found"],
  [
    "a budget that it has not",
    "POST",
    `${OF_K}/reset`,
    { budget: "key/1us|key:k" },
    400,
    "budget: is not the name of a budget of this key",
  ],
  [
    "a member that means nothing",
    "POST",
    `${OF_K}/reset`,
    { budgets: "x" },
    400,
    'budgets: is not a field of a reset; did you mean "budget"?',
  ],
] as const)("of %s, %s %s is refused", async (_, method, path, body, status, Message) => {
  const { admin, key } = await serveRecords();
  await key("k", KEY);
  const response = await admin(`${method} ${path}`, body);
  expect([response.status, response.body]).toEqual([
    status,
    { Status: "Error", Message, Meta: null },
  ]);
});

test("during an outage of the store budgets are neither read nor reset", async () => {
  const { admin, key } = await serveRecords({
    store: {
      send: (_, __, reply) => void setImmediate(reply, { failed: "error" }),
      close: () => Promise.resolve(),
    },
  });
  await key("k", KEY);
  for (const what of [`GET ${OF_K}`, `POST ${OF_K}/reset`]) {
    const { status, headers } = await admin(what, what.startsWith("POST") ? {} : undefined);
    expect([status, headers["retry-after"]]).toEqual([503, "1"]);
  }
});

test("a shadow limit is listed with the others, marked as one (LIM-C13)", async () => {
  const { admin, key, burst } = await serveRecords();
  await key("k", { rate: 1, per: 60, shadow: true, access_rights: { a: {} } });
  expect(await burst(3)).toEqual([200, 200, 200]);
  const { body } = await admin(`GET ${OF_K}`);
  expect(body).toMatchObject({
    budgets: [{ budget: "shadow/key/60000000us|key:k", shadow: true, remaining: 0 }],
  });
});

test("limits by address are listed separately, and one of their budgets is reset by its name (LIM-C17)", async () => {
  const { admin, keep, key, burst } = await serveRecords();
  await keep("apis", "b", { listen: "/b", key_by: "ip" });
  await keep("apis", "c", { listen: "/c", key_by: { header: "X-Client" } });
  const access_rights = { a: {}, b: {}, c: { limit: { rate: 1, per: 60 } } };
  await key("k", { rate: 2, per: 60, quota_max: 10, quota_renewal_rate: 60, access_rights });
  const root = "key/60000000us";
  const readBudgets = async (): Promise<unknown> => {
    const { body } = await admin(`GET ${OF_K}`);
    const { budgets, by_client } = body as {
      budgets: Record<string, unknown>[];
      by_client: unknown;
    };
    return [budgets.map(({ budget, apis, remaining }) => [budget, apis, remaining]), by_client];
  };
  expect(await burst(3, "k", "/b")).toEqual([200, 200, 429]);
  expect(await readBudgets()).toEqual([
    [
      [`${root}|key:k`, ["a"], 2],
      ["quota/60000000us|key:k", ["a", "b", "c"], 8],
    ],
    [
      { apis: ["b"], space: root, by: "ip" },
      { apis: ["c"], space: "key-api/c/60000000us", by: { header: "x-client" } },
    ],
  ]);
  const all = await admin(`POST ${OF_K}/reset`, {});
  expect(all.body).toMatchObject({
    Meta: { budgets: [`${root}|key:k`, "quota/60000000us|key:k"] },
  });
  expect(await burst(1, "k", "/b")).toEqual([429]);
  for (const budget of [`${root}|key:other`, `${root}|pattern:["a"]`])
    expect((await admin(`POST ${OF_K}/reset`, { budget })).status).toBe(400);
  const one = await admin(`POST ${OF_K}/reset`, { budget: `${root}|ip:127.0.0.1` });
  expect(one.body).toMatchObject({ Meta: { budgets: [`${root}|ip:127.0.0.1`] } });
  expect(await burst(3, "k", "/b")).toEqual([200, 200, 429]);
});
