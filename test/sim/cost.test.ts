import { describe, expect, test } from "vitest";
import { client } from "../../src/core/client.ts";
import type { Algorithm } from "../../src/core/config.ts";
import type { LogCommand, StoreOp } from "../../src/core/store.ts";
import { billOf, costOf } from "../../src/sim/cost.ts";
import { atUs, level, smoothing } from "../store/budgets.ts";

const one = (algorithm: Algorithm, smoothed = false) =>
  level(algorithm, {
    rate: 5,
    per: 1,
    ...(smoothed ? { smoothing: smoothing(1, 1, 0.5, 1) } : {}),
  });
const about = { client: client("alice"), atUs: atUs(0) };
const take = (
  algorithm: Algorithm,
  intent: "spend" | "ask" = "spend",
  smoothed = false,
): StoreOp => ({
  op: "take",
  levels: [one(algorithm, smoothed)],
  intent,
  ...about,
});
const pipeline = (level: LogCommand["level"]): StoreOp => ({
  op: "pipeline",
  commands: (["prune", "count", "add", "expire"] as const).map((op) => ({ op, level, ...about })),
});

describe("what an operation costs (ALG-6, ALG-9, ALG-11, ALG-C7)", () => {
  test.each<[string, StoreOp, number, number, number]>([
    // commands and those inside a script, and commands as a transaction
    ["the log", take("sliding_log"), 1, 4, 6],
    ["the log with an allowance", take("sliding_log", "spend", true), 1, 6, 8],
    ["the fixed window", take("fixed_window"), 1, 2, 4],
    ["DRL", take("drl"), 0, 0, 0],
    ["the bounded log", take("bounded_log"), 1, 3, 5],
    ["the token bucket", take("token_bucket"), 1, 2, 4],
    ["GCRA", take("gcra"), 1, 2, 4],
    ["the sliding window counter", take("sliding_window_counter"), 1, 3, 5],
    ["a sentinel's answer", take("sentinel"), 1, 0, 1],
    ["a sentinel's write", { op: "mark", level: one("sentinel"), ...about }, 1, 5, 7],
    ["the pipeline", pipeline(one("non_transactional")), 4, 0, 4],
    ["a question", take("sliding_log", "ask"), 1, 0, 1],
    ["giving back", { op: "give_back", level: one("sliding_log"), ...about }, 1, 0, 1],
    ["a step of A", { op: "allowance", level: one("sliding_log", true), ...about }, 1, 2, 4],
  ])("%s: %#", (_, op, commands, inner, asTransaction) => {
    expect(costOf(op, "script")).toEqual({ commands, inner });
    expect(costOf(op, "multi")).toEqual({ commands: asTransaction, inner: 0 });
  });

  test("all levels of one question are one script (LIM-C1)", () => {
    const levels = [one("sliding_log"), one("fixed_window")];
    expect(billOf({ levels }, "script")).toMatchObject({ before: 1, inner: 6, roundTrips: 1 });
  });

  test("each pipelined level is a round trip of its own (ALG-C6)", () => {
    const levels = [one("non_transactional"), one("non_transactional"), one("fixed_window")];
    expect(billOf({ levels }, "script")).toMatchObject({ before: 9, inner: 2, roundTrips: 3 });
  });

  test("nothing is sent where everything is counted here", () => {
    expect(billOf({ levels: [one("drl")] }, "script")).toMatchObject({ before: 0, roundTrips: 0 });
  });
});
