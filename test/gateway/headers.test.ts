import { describe, expect, test } from "vitest";
import { UNAVAILABLE, UNLIMITED, type Decision } from "#src/limiter/core/decision.ts";
import { limitHeaders, limitValues, readLimitValues } from "#src/gateway/headers.ts";
import { atUs, level } from "../limiter/store/budgets.ts";

const key = level("fixed_window", { rate: 5, per: 60 });
const decisionWith = (more: Partial<Decision> = {}): Decision => ({
  ...UNLIMITED,
  level: key,
  shown: key,
  limit: 5,
  remaining: 3,
  resetUs: atUs(42.5),
  ...more,
});
const refused = decisionWith({ refused: "rate", remaining: 0, retryAfterUs: 2_500_000 });
/** Every test sees the headers, and that a client reads the same values from them. */
function at(decision: Decision, style: Parameters<typeof limitValues>[1]) {
  const values = limitValues(decision, style, atUs(40));
  const headers = limitHeaders(values);
  expect(readLimitValues(headers)).toEqual(values);
  return Object.fromEntries(headers);
}

const unix = String(Math.ceil(atUs(42.5) / 1_000_000));
const LEGACY = {
  "X-RateLimit-Limit": "5",
  "X-RateLimit-Remaining": "3",
  "X-RateLimit-Reset": unix,
};
const IETF = { "RateLimit-Policy": '"key";q=5;w=60', RateLimit: '"key";r=3;t=3' };

describe("the headers of a limit (HDR-C2)", () => {
  test.each([
    ["legacy", LEGACY],
    ["ietf", IETF],
    ["both", { ...LEGACY, ...IETF }],
    ["off", {}],
  ] as const)("in the style %s", (style, headers) => {
    expect(at(decisionWith(), style)).toEqual(headers);
  });

  test("is nothing where nothing limits", () => {
    expect(at(UNLIMITED, "both")).toEqual({});
  });

  test.each([
    ["api", "api"],
    ["api-endpoint", "api-endpoint"],
    ["key-api", "key-api"],
    ["key-endpoint", "key-endpoint"],
  ] as const)("names the budget %s", (scope, name) => {
    const one = level("fixed_window", { rate: 5, per: 60, scope });
    expect(at(decisionWith({ shown: one }), "ietf")["RateLimit"]).toContain(`"${name}"`);
  });

  test("leaves out a window that is no whole number of seconds", () => {
    const one = level("fixed_window", { rate: 5, per: 1.5 });
    expect(at(decisionWith({ shown: one }), "ietf")["RateLimit-Policy"]).toBe('"key";q=5');
  });

  test("leaves out a reset that never comes", () => {
    const never = decisionWith({ resetUs: Number.POSITIVE_INFINITY });
    expect(at(never, "both")).toEqual({
      "X-RateLimit-Limit": "5",
      "X-RateLimit-Remaining": "3",
      "RateLimit-Policy": '"key";q=5;w=60',
      RateLimit: '"key";r=3',
    });
  });

  test("never has a reset in the past", () => {
    expect(at(decisionWith({ resetUs: atUs(0) }), "ietf")["RateLimit"]).toBe('"key";r=3;t=0');
  });
});

describe("Retry-After (HDR-C1)", () => {
  test.each(["legacy", "ietf", "both", "off"] as const)(
    "is on a refusal in every style: %s",
    (style) => {
      expect(at(refused, style)["Retry-After"]).toBe("3");
    },
  );

  test("is missing if waiting does not help, and on admitted requests", () => {
    expect(at(decisionWith({ ...refused, retryAfterUs: Number.POSITIVE_INFINITY }), "off")).toEqual(
      {},
    );
    expect(at(decisionWith(), "off")).toEqual({});
  });

  test("is one second where the store is away (ALG-C8)", () => {
    expect(at(UNAVAILABLE, "both")).toEqual({ "Retry-After": "1" });
  });

  test("is the only header if a quota refuses and nothing else limits", () => {
    const quota: Decision = { ...UNLIMITED, refused: "quota", retryAfterUs: 60_000_000 };
    expect(at(quota, "both")).toEqual({ "Retry-After": "60" });
  });
});
