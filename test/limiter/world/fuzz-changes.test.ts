// A valid world with a few changes: its problems are reported, and reading it changes nothing.
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { CODES } from "#src/limiter/world/codes.ts";
import { readConfiguration } from "#src/limiter/world/read.ts";
import { holds } from "../../runs.ts";
import { oas } from "./worlds.ts";

const limit = { rate: 5, per: "1s" };
const smoothed = {
  ...limit,
  smoothing: { enabled: true, threshold: 2, step: 1, trigger: 0.5, delay: 1 },
};
const entries = [{ path: "/a/{id}", method: "GET", enabled: true, disabled: false, ...limit }];
const rights = {
  orders: {
    limit: { ...smoothed, allowance: 5, quota_max: 3 },
    versions: ["v1"],
    endpoints: [{ path: "/a", methods: [{ name: "GET", limit }] }],
  },
};

/** A world that has every field at least once. */
const whole = {
  gateway: {
    algorithm: "sliding_log",
    drl_threshold: 2,
    drl_expiry: 4,
    burst: "rate",
    store_timeout: "100ms",
    limit_order: "api_first",
  },
  apis: {
    orders: { listen: "/o", ...limit, endpoints: entries },
    classic: {
      definition: {
        api_id: "c",
        proxy: { listen_path: "/c" },
        global_rate_limit: limit,
        extended_paths: { rate_limit: entries },
        version_data: { versions: { v1: { extended_paths: { rate_limit: entries } } } },
      },
    },
    modern: oas({ "/a/{id}": { get: { operationId: "getA" } } }, { getA: { rateLimit: limit } }),
  },
  policies: {
    gold: {
      ...smoothed,
      quota_max: 9,
      quota_renewal_rate: 60,
      throttle_interval: 1,
      throttle_retry_limit: 2,
      access_rights: rights,
    },
    silver: { ...limit, apis: ["orders"], partitions: { acl: false, per_api: false } },
    bronze: { rate: 1, per: 100, apis: ["modern"], partitions: { acl: true, rate_limit: true } },
  },
  keys: {
    alice: {
      apply_policies: ["gold", "silver", "bronze"],
      meta_data: { rate_limit_pattern: "$gw_meta.a|b" },
      hmac_enabled: true,
      expires: 0,
    },
    bob: { key_id: "b", ...smoothed, access_rights: rights },
    crowd: { count: 3, apply_policy_id: "gold" },
  },
};

const value = fc.oneof(
  fc.constantFrom<unknown>(
    0,
    1,
    5,
    -1,
    -2,
    0.5,
    1e12,
    "",
    "/",
    "/orders",
    "orders",
    "gold",
    "GET",
    "GTE",
    "10s",
    "a",
    "//",
    "/{b",
    "/a?",
    true,
    false,
    null,
    [],
    {},
  ),
  fc.double(),
  fc.jsonValue({ maxDepth: 2 }),
);
const change = fc.record({
  where: fc.nat(),
  what: value,
  name: fc.option(
    fc.oneof(fc.string({ maxLength: 5 }), fc.constantFrom("rates", "listen", "enabled")),
    { freq: 3 },
  ),
});

/** One node of a tree replaced, or put under another name. */
function applyChange(
  tree: unknown,
  { where, what, name }: { where: number; what: unknown; name: string | null },
): unknown {
  const copy: unknown = structuredClone(tree);
  const nodes: { holder: Record<string, unknown>; member: string }[] = [];
  const walk = (node: unknown): void => {
    if (typeof node !== "object" || node === null) return;
    const holder = node as Record<string, unknown>;
    for (const member of Object.keys(holder)) {
      nodes.push({ holder, member });
      walk(holder[member]);
    }
  };
  walk(copy);
  const chosen = nodes[where % nodes.length];
  if (chosen === undefined) return what;
  const { holder, member } = chosen;
  if (name === null || Array.isArray(holder)) holder[member] = what;
  else
    Object.defineProperty(holder, name, {
      value: holder[member],
      enumerable: true,
      configurable: true,
      writable: true,
    });
  return copy;
}

const world = fc
  .array(change, { minLength: 1, maxLength: 4 })
  .map((changes) => changes.reduce<unknown>(applyChange, whole));

describe("any value is a configuration or has errors, and never throws", () => {
  const seen = new Set<string>();

  test.each([
    ["any JSON", fc.jsonValue()],
    ["a whole world with a few changes", world],
  ])("%s", (_what, raw: fc.Arbitrary<unknown>) => {
    holds(
      fc.property(raw, (written) => {
        const { configuration, problems, credentials } = readConfiguration(written, ["w"]);
        expect(configuration === null).toBe(problems.some(({ severity }) => severity === "error"));
        for (const { code, severity, path, message } of problems) {
          seen.add(code);
          expect(CODES[code as keyof typeof CODES].severity).toBe(severity);
          expect(path[0]).toBe("w");
          expect(message).not.toMatch(/\n|undefined|\[object|NaN us/);
        }
        for (const list of credentials.values()) {
          expect(list.every((credential) => configuration?.keys.has(credential) ?? true)).toBe(
            true,
          );
        }
      }),
      1500,
    );
  });

  test("the worlds above come from a sound one, and reach most of the check", () => {
    expect(readConfiguration(whole).configuration).not.toBeNull();
    expect(seen.size).toBeGreaterThan((Object.keys(CODES).length * 2) / 3);
  });
});

test("reading is the same every time, and leaves what it reads as it is", () => {
  holds(
    fc.property(world, (written) => {
      const before = JSON.stringify(written);
      expect(readConfiguration(written)).toEqual(readConfiguration(written));
      expect(JSON.stringify(written)).toBe(before);
    }),
    200,
  );
});
