import { describe, expect, test } from "vitest";
import { sessionOf } from "#src/limiter/core/resolve/resolver.ts";
import { resolverOf } from "../limiters.ts";

const per1 = (rate: number) => ({ rate, per: 1 });
const own = (path: string, rate: number) => ({
  path,
  methods: [{ name: "GET", limit: per1(rate) }],
});

describe("what the gateway need not look at", () => {
  const sessionWith = (key: object) =>
    sessionOf(
      resolverOf({
        apis: { orders: { listen: "/orders" }, bills: { listen: "/bills" } },
        policies: { gold: { ...per1(5), apis: ["orders"] } },
        keys: { alice: key },
        gateway: {},
      }),
      "alice",
    )!;

  test.each<[string, object, boolean]>([
    ["a key with limits alone is plain", { apis: ["orders"], ...per1(5) }, true],
    ["of policies that are all known", { apply_policies: ["gold"] }, true],
    ["not where one is unknown", { apply_policies: ["gold", "lead"] }, false],
    ["not where none is known", { apply_policies: ["lead"] }, false],
    ["not while it is inactive", { apis: ["orders"], is_inactive: true }, false],
    [
      "not where it may wait",
      { apis: ["orders"], throttle_interval: 1, throttle_retry_limit: 1 },
      false,
    ],
    ["not where it ends", { apis: ["orders"], expires: 2_000_000_000 }, false],
    ["not where it asks for what is not enforced", { apis: ["orders"], hmac_enabled: true }, false],
  ])("%s", (_, key, isPlain) => {
    expect(sessionWith(key).isPlain).toBe(isPlain);
  });

  test("the path, where no API of the key has endpoints", () => {
    const orders = { endpoints: [own("/a", 2)] };
    expect(sessionWith({ access_rights: { orders, bills: {} } }).profile.hasEndpoints).toBe(true);
    expect(sessionWith({ access_rights: { bills: {} } }).profile.hasEndpoints).toBe(false);
  });
});
