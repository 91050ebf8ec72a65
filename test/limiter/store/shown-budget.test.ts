import { describe, expect, test } from "vitest";
import type { Algorithm } from "#src/limiter/core/algorithms.ts";
import { requestsTo, atUs, level, smoothing } from "./budgets.ts";

const headersWith = (seconds: number, remaining: number) => ({ resetUs: atUs(seconds), remaining });

describe("headers with budget left show when the budget is full again (HDR-C2)", () => {
  test.each<[Algorithm, number]>([
    ["sliding_log", 10.5], // the newest attempt has left
    ["bounded_log", 10.5],
    ["non_transactional", 10.5],
    ["sentinel", 10.5],
    ["fixed_window", 10], // the window ends
    ["drl", 10],
    ["token_bucket", 5], // 2 owed at 0.5, less 0.125, at 4 a second... in tenths: 2 requests take 5 s
    ["sliding_window_counter", 20], // both windows are over
  ])("%s", (algorithm, seconds) => {
    const four = level(algorithm, { rate: 4, per: 10 });
    const requests = requestsTo();
    expect(requests.at(0, four)).toMatchObject({ remaining: 3 });
    expect(requests.at(0.5, four)).toMatchObject(headersWith(seconds, 2));
  });
});

describe("headers without budget left show when the next request would pass (HDR-C2)", () => {
  test.each<[Algorithm, number]>([
    ["sliding_log", 10], // the oldest attempt has left
    ["bounded_log", 10],
    ["non_transactional", 10],
    ["sentinel", 10],
    ["fixed_window", 10],
    ["drl", 10],
    ["token_bucket", 5], // one of two in 10 s is paid back
  ])("%s", (algorithm, seconds) => {
    const two = level(algorithm, { rate: 2, per: 10 });
    const requests = requestsTo();
    requests.at(0, two);
    const second = requests.at(0.5, two);
    expect(second).toMatchObject(headersWith(seconds, 0));
    expect(requests.at((second.resetUs - atUs(0)) / 1e6 - 1e-6, two).refusedBy).toBe(0);
  });

  test("a smoothed log counts on the step that the next request takes", () => {
    const smoothed = level("sliding_log", {
      rate: 4,
      per: 10,
      smoothing: smoothing(1, 2, 0.5, 3),
    });
    const requests = requestsTo();
    expect(requests.at(0, smoothed)).toMatchObject(headersWith(3, 0)); // the hold-off ends, long before the window
    expect(requests.at(3, smoothed)).toMatchObject({ refusedBy: -1, limit: 3, remaining: 1 });
  });
});

describe("the background write of a sentinel", () => {
  const three = level("sentinel", { rate: 3, per: 10 });
  const quota = {
    ...level("fixed_window", { rate: 1, per: 60, scope: "quota" }),
    place: "store",
  } as const;

  test("counts already in the reply", () => {
    expect(requestsTo().at(0, three)).toMatchObject(headersWith(10, 2));
  });

  test("does not count when another level refuses, because then it is not written", () => {
    const requests = requestsTo();
    requests.at(0, three, quota);
    expect(requests.at(1, three, quota)).toMatchObject({
      refusedBy: 1,
      shown: 0,
      ...headersWith(10, 2),
    });
  });
});
