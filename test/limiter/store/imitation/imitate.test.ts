// Each word of `imitate` by numbers that were computed by hand, next to the same requests without it.
import { describe, expect, test } from "vitest";
import type { Scope } from "#src/limiter/core/budget.ts";
import { client } from "#src/limiter/core/client.ts";
import type { Algorithm } from "#src/limiter/core/algorithms.ts";
import type { Imitation } from "#src/limiter/core/imitation.ts";
import type { Level } from "#src/limiter/core/store.ts";
import { micros, SECOND } from "#src/kit/units.ts";
import { checksumOf } from "#src/limiter/store/imitation/checksum.ts";
import { memoryStore, perform, sizeOf } from "#src/limiter/store/memory.ts";
import { level, NO_IMITATION, requestsTo, type LevelParts } from "../budgets.ts";
import { CASES, times, type Words } from "./cases.ts";

const fivePerSecond = (
  algorithm: Algorithm,
  words: Words | null,
  parts: Partial<LevelParts> = {},
): Level =>
  level(algorithm, {
    rate: 5,
    per: 1,
    ...parts,
    options: {
      burst: "rate",
      ...parts.options,
      imitation: words === null ? null : { ...NO_IMITATION, ...words },
    },
  });

/** The indexes of the requests that are admitted. */
function listAdmitted(one: Level, seconds: readonly number[]): readonly number[] {
  const requests = requestsTo();
  return seconds.flatMap((at, index) => (requests.at(at, one).refusedBy < 0 ? [index] : []));
}

describe.each(CASES)("%s", (_, algorithm, words, seconds, withIt, without) => {
  test("with the word", () => {
    expect(listAdmitted(fivePerSecond(algorithm, words), seconds)).toEqual(withIt);
  });

  test("without it", () => {
    expect(listAdmitted(fivePerSecond(algorithm, null), seconds)).toEqual(without);
  });
});

// A refused request that counts lengthens the wait of the next one.
const WAITING = CASES.filter(
  ([, , { refused = "free" }, seconds, withIt]) =>
    refused === "free" && withIt.length < seconds.length,
);

test.each(WAITING)("%s: the wait of a refusal suffices to the microsecond", (...one) => {
  const [, algorithm, words, seconds] = one;
  const imitating = fivePerSecond(algorithm, words);
  const requests = requestsTo();
  const at = seconds.find((second) => requests.at(second, imitating).refusedBy === 0)!;
  const { waitUs } = requests.as(client("alice"), at, "evaluate", imitating);
  const tryAfter = (us: number): number =>
    requests.as(client("alice"), at + us / SECOND, "evaluate", imitating).refusedBy;
  expect([tryAfter(waitUs - 1), tryAfter(waitUs)]).toEqual([0, -1]);
});

describe("a limit that keeps few budgets", () => {
  const round = (keys: number, names: readonly string[]): readonly string[] => {
    const requests = requestsTo();
    const one = fivePerSecond("gcra", { keys }, { rate: 1 });
    return names.filter((name) => requests.as(client(name), 0, "spend", one).refusedBy < 0);
  };

  test("drops the least recently used one", () => {
    expect(round(2, ["a", "b", "a", "c", "a", "b"])).toEqual(["a", "b", "c", "b"]);
    expect(round(3, ["a", "b", "a", "c", "a", "b"])).toEqual(["a", "b", "c"]);
  });

  test("has no more of them", () => {
    const requests = requestsTo();
    const one = fivePerSecond("gcra", { keys: 2 });
    for (const name of ["a", "b", "c", "d"]) requests.as(client(name), 0, "spend", one);
    expect(sizeOf(requests.store).budgets).toBe(2);
  });
});

test("a limit for all clients admits the request that reaches it", () => {
  const words: Words = { lastOfWindow: "refused_by_client_limits" };
  const countAdmitted = (scope: Scope): number =>
    listAdmitted(fivePerSecond("fixed_window", words, { scope }), times(6, 0)).length;
  const scopes = ["api-endpoint", "api", "key-endpoint", "key-api", "key"] as const;
  expect(scopes.map(countAdmitted)).toEqual([5, 5, 4, 4, 4]);
});

test("windows by the checksum of a key end a second after it", () => {
  expect(checksumOf("123456789")).toBe(0xcbf43926); // the check value of CRC-32
  const one = fivePerSecond("fixed_window", { windowStart: "hash_of_key" }, { rate: 1, per: 10 });
  const shift = (checksumOf("key/10000000us|alice") % 10) + 1;
  const passed = listAdmitted(one, [
    shift + 0.1,
    shift + 9.9,
    shift + 10,
    shift + 19.9,
    shift + 20,
  ]);
  expect(passed).toEqual([0, 2, 4]);
});

test("a refused cost begins the windows of a key", () => {
  const one = fivePerSecond("fixed_window", { windowStart: "first_of_key" });
  const requests = requestsTo();
  expect(costing(requests, one, 0, 6)).toBe(false);
  expect(costing(requests, one, 0.6, 5)).toBe(true);
  expect([costing(requests, one, 0.9, 1), costing(requests, one, 1, 5)]).toEqual([false, true]);
});

const costing = (
  requests: ReturnType<typeof requestsTo>,
  one: Level,
  seconds: number,
  units: number,
): boolean =>
  perform(requests.store, {
    op: "take",
    levels: [one],
    client: client("alice"),
    atUs: micros(seconds * SECOND),
    intent: "spend",
    units,
  }).refusedBy < 0;

describe("after a limit is raised from 4 to 8 with 1 request left", () => {
  const countLeft = (algorithm: Algorithm, changedLimit: Imitation["changedLimit"]): number => {
    const requests = requestsTo();
    const atRate = (rate: number): Level =>
      fivePerSecond(algorithm, changedLimit === null ? null : { changedLimit }, { rate });
    for (let i = 0; i < 3; i++) expect(costing(requests, atRate(4), 0, 1)).toBe(true);
    let left = 0;
    while (costing(requests, atRate(8), 0, 1)) left++;
    return left;
  };

  test.each([
    [null, 5],
    ["units_stay", 1],
    ["share_stays", 2],
    ["new_budget", 8],
  ] as const)("with changed_limit %s, %i are left", (changedLimit, left) => {
    for (const algorithm of ["fixed_window", "token_bucket", "gcra"] as const)
      expect(countLeft(algorithm, changedLimit)).toBe(left);
  });
});

test("of requests that were saved up on credit, a change of the limit leaves the same share", () => {
  const countLeft = (changedLimit: Imitation["changedLimit"], from: number, to: number): number => {
    const requests = requestsTo();
    const atRate = (rate: number): Level =>
      fivePerSecond("token_bucket", { tokens: "on_credit", changedLimit }, { rate });
    const isAdmitted = (second: number, rate: number): boolean =>
      requests.at(second, atRate(rate)).refusedBy < 0;
    expect([isAdmitted(0, from), isAdmitted(1.1, from)]).toEqual([true, true]);
    let left = 0;
    while (isAdmitted(1.1, to)) left++;
    return left;
  };
  // 19 of 20 are saved up, of which a fifth is 3.8; the last request is on credit.
  expect([countLeft(null, 20, 4), countLeft("share_stays", 20, 4)]).toEqual([20, 4]);
  // 2.4 of 4, and five times that.
  expect([countLeft(null, 4, 20), countLeft("share_stays", 4, 20)]).toEqual([3, 13]);
});

test("a queue saves up turns, and makes the requests after them wait", () => {
  const requests = requestsTo();
  const one = fivePerSecond("leaky_bucket", { savedTurns: 2 });
  const delayAt = (second: number): number => requests.at(second, one).delayUs / 1_000;
  expect([delayAt(0), delayAt(0), delayAt(0)]).toEqual([0, 200, 400]);
  expect([2, 2, 2, 2, 2].map(delayAt)).toEqual([0, 0, 0, 200, 400]);
});

test("a refused request counts at all limits that it meets", () => {
  const count = (refused: Imitation["refused"]): number => {
    const requests = requestsTo();
    const tight = fivePerSecond("fixed_window", { refused }, { rate: 1, scope: "api" });
    const wide = fivePerSecond("fixed_window", { refused }, { rate: 9 });
    for (let i = 0; i < 4; i++) requests.at(0, tight, wide);
    let left = 0;
    while (costing(requests, wide, 0, 1)) left++;
    return left;
  };
  expect([count("counted"), count("counted_by_all")]).toEqual([8, 5]);
});

test("limits that count in sequence have counted what a later one refuses, and nothing of an earlier one", () => {
  const countSpent = (rates: readonly [number, number], of: 0 | 1): number => {
    const requests = requestsTo();
    const words = { levels: "in_sequence" } as const;
    const levels = [
      fivePerSecond("token_bucket", words, { rate: rates[0], scope: "api" }),
      fivePerSecond("token_bucket", words, { rate: rates[1] }),
    ] as const;
    for (let i = 0; i < 4; i++) requests.at(0, ...levels);
    let left = 0;
    while (costing(requests, levels[of], 0, 1)) left++;
    return rates[of] - left;
  };
  expect([countSpent([9, 1], 0), countSpent([1, 9], 1)]).toEqual([4, 1]);
});

test("a single request has its whole weight while the present window has none", () => {
  const one = (weights: Imitation["weights"]): Level =>
    fivePerSecond("sliding_window_counter", { weights, windowStart: "first_request" }, { rate: 1 });
  const seconds = [0, 0.5, 1.9, 2, 2.1];
  expect(listAdmitted(one("rounded_down"), seconds)).toEqual([0, 2, 4]);
  expect(listAdmitted(one("single_in_full"), seconds)).toEqual([0, 3]);
});

test("a bucket that fills in less than half a second is never stored", () => {
  const lifetime = "whole_seconds";
  const withBurst = (burst: number): Level =>
    fivePerSecond("gcra", { lifetime }, { rate: 10, options: { burst } });
  expect(listAdmitted(withBurst(4), times(9, 0))).toHaveLength(9);
  expect(listAdmitted(withBurst(5), times(9, 0))).toHaveLength(5);
});

test("a weight in floating point may be one less than it is", () => {
  const one = (weights: Imitation["weights"]): Level =>
    fivePerSecond("sliding_window_counter", { weights }, { rate: 10 });
  const seconds = [...times(10, 0), ...times(10, 1.9)];
  // A tenth of ten is exactly 1, and 1 - 0.9 is less than a tenth.
  expect(listAdmitted(one("rounded_down"), seconds)).toHaveLength(19);
  expect(listAdmitted(one("floating"), seconds)).toHaveLength(20);
});

test("a budget that is reset is new, its block too", () => {
  const store = memoryStore();
  const requests = requestsTo(store);
  const one = fivePerSecond("fixed_window", { blockUs: micros(10 * SECOND) });
  for (let i = 0; i < 6; i++) requests.at(0, one);
  expect(requests.at(2, one).refusedBy).toBe(0);
  perform(store, { op: "reset", level: one, client: client("alice"), atUs: micros(0) });
  expect(requests.at(2, one).refusedBy).toBe(-1);
});

test("a level without an imitation shares no counter with one that has it", () => {
  const requests = requestsTo();
  for (let i = 0; i < 5; i++) requests.at(0, fivePerSecond("fixed_window", { refused: "counted" }));
  expect(requests.at(0, fivePerSecond("fixed_window", null)).refusedBy).toBe(-1);
});

test("a quota is counted as ever", () => {
  const quota = fivePerSecond("gcra", { keys: 1 }, { scope: "quota" });
  expect(quota.imitation).toBeNull();
});
