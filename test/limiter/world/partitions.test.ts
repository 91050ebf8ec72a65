import { describe, expect, test } from "vitest";
import type { Policy } from "#src/limiter/core/config.ts";
import { limitOf } from "#src/limiter/core/limit.ts";
import { NEVER } from "#src/kit/units.ts";
import { configurationOf, messages, orders, problemsOf } from "./worlds.ts";

const world = (gold: unknown): unknown => ({ apis: orders, policies: { gold } });
const policy = (gold: unknown): Policy | undefined =>
  configurationOf(world(gold)).policies.get("gold");
const right = { limit: null, quota: null, throttle: null, endpoints: [], unenforced: [] };

describe("LIM-C14: partitions", () => {
  const all = { access: true, rate: true, quota: true };
  const none = { access: false, rate: false, quota: false };

  test.each([
    [{}, all],
    [null, all],
    [{ acl: false, rate_limit: false, quota: false, complexity: false, per_api: false }, all],
    [{ acl: true }, { ...none, access: true }],
    [{ rate_limit: true }, { ...none, rate: true }],
    [
      { quota: true, acl: true },
      { ...none, quota: true, access: true },
    ],
    [{ complexity: true }, none],
    [{ per_api: true }, all],
  ])("%j", (partitions, supplies) => {
    expect(problemsOf(world({ apis: ["orders"], partitions }))).toEqual([]);
    expect(policy({ apis: ["orders"], partitions })?.supplies).toEqual(supplies);
  });

  test.each([
    [{ acl: 1 }, "CFG-TYPE policies.gold.partitions.acl"],
    [[], "CFG-TYPE policies.gold.partitions"],
    [{ rate: true }, "CFG-UNKNOWN-FIELD policies.gold.partitions.rate"],
    [{ per_api: true, quota: true }, "CFG-PARTITIONS-PER-API policies.gold.partitions.per_api"],
    [
      { per_api: true, complexity: true },
      "CFG-PARTITIONS-PER-API policies.gold.partitions.per_api",
    ],
  ])("%j is an error", (partitions, problem) => {
    expect(problemsOf(world({ apis: ["orders"], partitions }))).toEqual([problem]);
  });

  test("what they leave out and is not off is named", () => {
    const rates = { rate: 5, per: 1, throttle_interval: 1, throttle_retry_limit: 2, quota_max: 5 };
    const withParts = (more: object, parts: object) =>
      messages(world({ ...more, partitions: parts }));
    expect(withParts(rates, { quota: true })).toEqual([
      "stored, but without effect, because partitions leave out rate_limit: rate, per, throttle_interval, throttle_retry_limit",
    ]);
    expect(withParts(rates, { acl: true })).toEqual([
      "stored, but without effect, because partitions leave out rate_limit and quota: rate, per, throttle_interval, throttle_retry_limit, quota_max",
    ]);
    expect(withParts(rates, { rate_limit: true })).toEqual([
      "stored, but without effect, because partitions leave out quota: quota_max",
    ]);
    expect(withParts({ rate: 0, per: 0, quota_max: 0 }, { acl: true })).toEqual([]);
  });

  test("per_api gives the root to each API that has nothing of its own, member by member", () => {
    const gold = {
      rate: 5,
      per: 1,
      quota_max: 9,
      throttle_interval: 1,
      throttle_retry_limit: 2,
      access_rights: { orders: { limit: { rate: 3, per: 1 } }, bills: null },
      partitions: { per_api: true },
    };
    const apis = { ...orders, bills: { listen: "/bills" } };
    const found = configurationOf({ apis, policies: { gold } }).policies.get("gold");
    const shared = {
      quota: { max: 9, renewalUs: NEVER },
      throttle: { intervalUs: 1_000_000, retryLimit: 2 },
    };
    expect([found?.limit, found?.quota, found?.throttle]).toEqual([null, null, null]);
    expect(found?.accessRights.get("orders")).toEqual({
      ...right,
      ...shared,
      limit: limitOf(3, 1),
    });
    expect(found?.accessRights.get("bills")).toEqual({ ...right, ...shared, limit: limitOf(5, 1) });
  });

  test("access checks count where access is supplied, those of the policy itself always", () => {
    const access_rights = { orders: { allowed_urls: [{ url: "/a" }] } };
    const checksOf = (more: object) =>
      policy({ access_rights, ...more })?.accessRights.get("orders")?.unenforced;
    expect(checksOf({})).toEqual(["allowed_urls"]);
    expect(checksOf({ partitions: { acl: true } })).toEqual(["allowed_urls"]);
    expect(checksOf({ partitions: { quota: true } })).toEqual([]);
    const checked = { partitions: { quota: true }, hmac_enabled: true };
    expect(checksOf(checked)).toEqual(["hmac_enabled"]);
  });
});
