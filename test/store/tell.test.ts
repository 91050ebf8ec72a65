import { describe, expect, test } from "vitest";
import type { Algorithm } from "../../src/core/algorithms.ts";
import { asked, atUs, level, smoothing } from "./budgets.ts";

const told = (seconds: number, remaining: number) => ({ resetUs: atUs(seconds), remaining });

describe("a client with some left is told when everything is there again (HDR-C2)", () => {
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
    const ask = asked();
    expect(ask.at(0, four)).toMatchObject({ remaining: 3 });
    expect(ask.at(0.5, four)).toMatchObject(told(seconds, 2));
  });
});

describe("a client with nothing left is told when the next request would pass (HDR-C2)", () => {
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
    const ask = asked();
    ask.at(0, two);
    const second = ask.at(0.5, two);
    expect(second).toMatchObject(told(seconds, 0));
    expect(ask.at((second.resetUs - atUs(0)) / 1e6 - 1e-6, two).refusedBy).toBe(0);
  });

  test("a smoothed log counts on the step that the next request takes", () => {
    const smoothed = level("sliding_log", {
      rate: 4,
      per: 10,
      smoothing: smoothing(1, 2, 0.5, 3),
    });
    const ask = asked();
    expect(ask.at(0, smoothed)).toMatchObject(told(3, 0)); // the hold-off ends, long before the window
    expect(ask.at(3, smoothed)).toMatchObject({ refusedBy: -1, limit: 3, remaining: 1 });
  });
});

describe("what a sentinel writes behind its answer", () => {
  const three = level("sentinel", { rate: 3, per: 10 });
  const quota = {
    ...level("fixed_window", { rate: 1, per: 60, scope: "quota" }),
    place: "store",
  } as const;

  test("counts already in the answer", () => {
    expect(asked().at(0, three)).toMatchObject(told(10, 2));
  });

  test("does not count when another level refuses, because then it is not written", () => {
    const ask = asked();
    ask.at(0, three, quota);
    expect(ask.at(1, three, quota)).toMatchObject({ refusedBy: 1, shown: 0, ...told(10, 2) });
  });
});
