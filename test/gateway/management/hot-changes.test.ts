// A change governs the next request, and is no refill (MGT-C5): over the served gateway, with each algorithm.
import { expect, test } from "vitest";
import { IMMEDIATE_ALGORITHMS, type Algorithm } from "#src/limiter/core/algorithms.ts";
import { serveRecords } from "./served.ts";

const RIGHTS = { access_rights: { a: {} } };
const PUT_K = "PUT /admin/org/keys/k";

/** A refused attempt stays in these logs (ALG-3), so that a limit that is raised by two admits one. */
const WRITES_REFUSED: ReadonlySet<Algorithm> = new Set<Algorithm>([
  "sliding_log",
  "non_transactional",
  "bounded_log",
]);

// The block of a sentinel lasts until its mark has passed (ALG-C5); the next test covers it.
test.each(IMMEDIATE_ALGORITHMS.filter((algorithm) => algorithm !== "sentinel"))(
  "%s: a rate lowered and raised is compared with what was spent",
  async (algorithm) => {
    const { admin, key, burst, send } = await serveRecords({
      gateway: { algorithm, burst: "rate" },
    });
    await key("k", { rate: 5, per: 60, ...RIGHTS });
    expect(await burst(3)).toEqual([200, 200, 200]);
    expect((await admin(PUT_K, { rate: 4 })).status).toBe(200);
    expect(await send("k")).toMatchObject({ status: 200, limit: "4" });
    expect(await send("k")).toMatchObject({ status: 429, limit: "4" });
    await admin(PUT_K, { rate: 6 });
    const more = WRITES_REFUSED.has(algorithm) ? [200, 429, 429] : [200, 200, 429];
    expect(await burst(3)).toEqual(more);
  },
);

test.each(IMMEDIATE_ALGORITHMS)("%s: a changed per starts a new budget", async (algorithm) => {
  const { admin, key, burst } = await serveRecords({ gateway: { algorithm, burst: "rate" } });
  await key("k", { rate: 3, per: 60, ...RIGHTS });
  expect(await burst(4)).toEqual([200, 200, 200, 429]);
  await admin(PUT_K, { per: 120 });
  expect(await burst(4)).toEqual([200, 200, 200, 429]);
  await admin(PUT_K, { per: 60 });
  expect(await burst(1)).toEqual([429]);
});

/** Where a debt is paid off at the new rate, and so takes longer. */
const OWES: ReadonlySet<Algorithm> = new Set<Algorithm>(["token_bucket", "gcra"]);

// A sentinel learns of it by a background write of the next request (ALG-C5).
test.each(IMMEDIATE_ALGORITHMS.filter((algorithm) => algorithm !== "sentinel"))(
  "%s: spent requests count for their window under a lowered rate",
  async (algorithm) => {
    const { admin, key, burst, pass } = await serveRecords({
      gateway: { algorithm, burst: "rate" },
    });
    await key("k", { rate: 40, per: 60, ...RIGHTS });
    await burst(20);
    await admin(PUT_K, { rate: 10 });
    expect(await burst(1)).toEqual([429]);
    pass(30);
    expect(await burst(1)).toEqual([429]);
    pass(OWES.has(algorithm) ? 40 : 90);
    expect(await burst(1)).toEqual([200]);
  },
);

const SMOOTHED = {
  rate: 8,
  per: 60,
  smoothing: { enabled: true, threshold: 2, step: 2, trigger: 0.5, delay: 1 },
  ...RIGHTS,
};

test.each(["sliding_log", "non_transactional", "sentinel", "bounded_log"] as const)(
  "%s: an A outside the new bounds is cut at the next request, once",
  async (algorithm) => {
    const { admin, key, send, burst, pass, events } = await serveRecords({
      gateway: { algorithm },
    });
    const changes = (): unknown[] =>
      events.flatMap(({ event, value }) => (event.startsWith("RateLimitSmoothing") ? [value] : []));
    await key("k", SMOOTHED);
    for (let i = 0; i < 4; i++) {
      await burst(2);
      pass(2);
    }
    const risen = changes();
    expect(risen.at(-1)).toBeGreaterThan(4);
    await admin(PUT_K, { rate: 4 });
    expect(changes()).toEqual(risen);
    await send("k");
    expect(changes()).toEqual([...risen, 4]);
    await burst(3);
    expect(changes()).toEqual([...risen, 4]);
  },
);

test("smoothing is switched on and off in the middle of a window", async () => {
  const { admin, key, send, burst } = await serveRecords({ gateway: { algorithm: "sliding_log" } });
  await key("k", { rate: 8, per: 60, ...RIGHTS });
  expect(await burst(3)).toEqual([200, 200, 200]);
  await admin(PUT_K, { smoothing: SMOOTHED.smoothing });
  expect(await send("k")).toMatchObject({ status: 429, limit: "2" });
  await admin(PUT_K, { smoothing: null });
  expect(await send("k")).toMatchObject({ status: 200, limit: "8" });
});

test("a policy is swapped, changed, and deleted under its keys (LIM-C7)", async () => {
  const { admin, dashboard, keep, key, send, events } = await serveRecords();
  const policy = (rate: number) => ({ name: "p", rate, per: 60, ...RIGHTS });
  await keep("policies", "p", policy(5));
  await keep("policies", "q", policy(7));
  await key("k", { apply_policies: ["p"] });
  const limit = async (): Promise<unknown> => (await send("k")).limit;
  expect(await limit()).toBe("5");
  await admin(PUT_K, { apply_policies: ["q"] });
  expect(await limit()).toBe("7");
  expect((await dashboard("PUT /api/portal/policies/q", { rate: 9 })).status).toBe(200);
  expect(await limit()).toBe("9");
  await dashboard("DELETE /api/portal/policies/q");
  expect((await send("k")).status).toBe(403);
  expect(events.map(({ event, key: of }) => [event, of])).toEqual([["PolicyMissing", "k"]]);
});

test("a key is inactive, expired, refused and deleted with the next request (MGT-C8, MGT-C9)", async () => {
  const { admin, key, burst } = await serveRecords();
  await key("k", { rate: 50, per: 60, ...RIGHTS });
  const after = async (change: object): Promise<unknown> => {
    expect((await admin(PUT_K, change)).status).toBe(200);
    return (await burst(1))[0];
  };
  expect(await burst(1)).toEqual([200]);
  expect(await after({ is_inactive: true })).toBe(403);
  expect(await after({ is_inactive: null })).toBe(200);
  expect(await after({ expires: 1_600_000_000 })).toBe(401);
  expect(await after({ expires: 0 })).toBe(200);
  expect(await after({ hmac_enabled: true })).toBe(403);
  expect(await after({ hmac_enabled: false })).toBe(200);
  expect(await after({ access_rights: null })).toBe(403);
  expect(await after(RIGHTS)).toBe(200);
  expect((await admin("DELETE /admin/org/keys/k")).status).toBe(200);
  expect(await burst(1)).toEqual([403]);
});

test.each([
  ["the key", { hmac_enabled: true }, "hmac_enabled"],
  ["an access right", { access_rights: { a: { allowed_urls: [{ url: "/x" }] } } }, "allowed_urls"],
])(
  "a restriction of %s that the gateway does not enforce is an event, once (MGT-C8)",
  async (_, fields, which) => {
    const { admin, key, burst, events } = await serveRecords();
    await key("k", { rate: 50, per: 60, ...RIGHTS });
    expect((await admin(PUT_K, fields)).status).toBe(200);
    expect(await burst(3)).toEqual([403, 403, 403]);
    const emitted = events.map(({ event, key: of, api, budget }) => [event, of, api, budget]);
    expect(emitted).toEqual([["AccessNotEnforced", "k", "a", which]]);
  },
);

test("the next request sees an API created, replaced and deleted", async () => {
  const { dashboard, key, send } = await serveRecords();
  await key("k", { rate: 50, per: 60, ...RIGHTS });
  const api = { api_id: "n", name: "n", active: true, use_keyless: true };
  const at = async (path: string): Promise<unknown> => (await send("k", path)).status;
  expect(await at("/n")).toBe(404);
  const made = await dashboard("POST /api/apis", { ...api, proxy: { listen_path: "/n" } });
  expect([made.status, await at("/n")]).toEqual([200, 200]);
  const replaced = await dashboard("PUT /api/apis/n", { ...api, proxy: { listen_path: "/m" } });
  expect([replaced.status, await at("/n"), await at("/m")]).toEqual([200, 404, 200]);
  await dashboard("DELETE /api/apis/n");
  expect([await at("/m"), await at("/a")]).toEqual([404, 200]);
});
