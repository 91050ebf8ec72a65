import { describe, expect, test } from "vitest";
import { budgetName, isOfApi, type Budget, type Scope } from "#src/limiter/core/budget.ts";
import { client } from "#src/limiter/core/client.ts";
import { conclude, retryAfterSeconds, UNAVAILABLE, UNLIMITED } from "#src/limiter/core/decision.ts";
import { limitOf } from "#src/limiter/core/limit.ts";
import { emptyReply, isTighter } from "#src/limiter/core/store.ts";
import { level } from "../store/budgets.ts";

describe("Retry-After in seconds (HDR-C1)", () => {
  test.each([
    [1, 1],
    [999_999, 1],
    [1_000_000, 1],
    [1_000_001, 2],
    [Number.POSITIVE_INFINITY, null], // waiting does not help
  ])("of %d us is %s", (retryAfterUs, seconds) => {
    expect(retryAfterSeconds({ ...UNLIMITED, refused: "rate", retryAfterUs })).toBe(seconds);
  });

  test("is nothing for who passes, and one second without a store (ALG-C8)", () => {
    expect(retryAfterSeconds(UNLIMITED)).toBeNull();
    expect(retryAfterSeconds(UNAVAILABLE)).toBe(1);
  });
});

describe("an answer for all levels", () => {
  const levels = [
    level("sliding_log", { rate: 5, per: 1, scope: "api" }),
    level("fixed_window", { rate: 9, per: 60, scope: "quota" }),
  ];

  test.each([
    [-1, 0, null, 0],
    [0, 0, "rate", 0],
    [1, 0, "quota", 1],
    [1, -1, "quota", 1],
  ])("refused by %d, showing %d: %s", (refusedBy, shown, refused, named) => {
    const decision = conclude(levels, { ...emptyReply(), refusedBy, shown }, false);
    expect(decision.refused).toBe(refused);
    expect(decision.level).toBe(levels[named]);
    expect(decision.shown).toBe(levels[shown] ?? null);
  });

  test.each([
    ["fewer remaining", { remaining: 2, resetUs: 5 }, 1, 1, true],
    ["more remaining", { remaining: 2, resetUs: 5 }, 3, 9, false],
    ["as many and a later reset", { remaining: 2, resetUs: 5 }, 2, 6, true],
    ["as many and the same reset: the first stays", { remaining: 2, resetUs: 5 }, 2, 5, false],
  ])("the tightest is shown, by %s (HDR-C2)", (_, before, remaining, resetUs, expected) => {
    expect(isTighter({ ...emptyReply(), shown: 0, ...before }, remaining, resetUs)).toBe(expected);
  });

  test("anything is tighter than nothing", () => {
    expect(isTighter(emptyReply(), 99, 0)).toBe(true);
  });
});

describe("the name of a budget", () => {
  const budget = (scope: Scope): Budget => ({
    space: `${scope}/x`,
    scope,
    limit: limitOf(1, 1),
    because: [],
  });

  test.each<[Scope, string]>([
    ["api", "api/x"],
    ["api-endpoint", "api-endpoint/x"],
    ["key", "key/x|key:alice"],
    ["key-api", "key-api/x|key:alice"],
    ["key-endpoint", "key-endpoint/x|key:alice"],
    ["quota", "quota/x|key:alice"],
  ])("%s: %s", (scope, name) => {
    expect(budgetName(budget(scope), client("key:alice"))).toBe(name);
    expect(isOfApi(scope)).toBe(!name.includes("|"));
  });
});
