import { describe, expect, test } from "vitest";
import { client } from "#src/limiter/core/client.ts";
import { takeInSequence, runSequence } from "#src/limiter/core/sequence.ts";
import {
  emptyReply,
  type StoreResult,
  type Intent,
  type Level,
  type Reply,
  type StoreOp,
} from "#src/limiter/core/store.ts";
import { localStore, memoryStore } from "#src/limiter/store/memory.ts";
import { atUs, requestsTo, level, smoothing } from "../store/budgets.ts";

const alice = client("alice");
const api = level("fixed_window", { rate: 5, per: 10, scope: "api" });
const key = level("sliding_log", { rate: 1, per: 10 });
const quota = level("fixed_window", { rate: 9, per: 60, scope: "quota" });
const pipelined = level("non_transactional", { rate: 2, per: 10 });

const admits = (more: Partial<Reply> = {}): Reply => ({ ...emptyReply(), ...more });
const refuses = (waitUs: number): Reply => ({ ...emptyReply(), refusedBy: 0, waitUs });

const nameOf = (op: StoreOp): string => {
  if (op.op === "pipeline") return op.commands.map((command) => command.op).join(" ");
  const on =
    op.op === "take" ? op.levels.map(({ budget }) => budget.scope) : [op.level.budget.scope];
  return `${op.op}${op.op === "take" ? ` ${op.intent}` : ""} ${on.join()}`;
};

/** The operations for these replies of the store, one after the other. */
function takeWith(
  levels: readonly Level[],
  answers: readonly StoreResult[],
  intent: Intent = "spend",
  givesBack = true,
): { operations: readonly string[]; result: StoreResult } {
  const steps = takeInSequence({
    levels,
    client: alice,
    atUs: atUs(0),
    intent,
    units: 1,
    givesBack,
  });
  const operations: string[] = [];
  let next = steps.next();
  while (next.done !== true) {
    operations.push(nameOf(next.value));
    next = steps.next(answers[operations.length - 1] ?? admits());
  }
  return { operations, result: next.value };
}

describe("levels one after the other (LIM-C1)", () => {
  test("API first, then the key, then the quota, while they admit", () => {
    expect(takeWith([api, key, quota], []).operations).toEqual([
      "take spend api",
      "take spend key",
      "take spend quota",
    ]);
  });

  test("a refusal by a later level refunds the earlier ones, and the rest is only evaluated", () => {
    const { operations, result } = takeWith([api, key, quota], [admits(), refuses(7)]);
    expect(operations).toEqual([
      "take spend api",
      "take spend key",
      "give_back api",
      "take evaluate quota",
    ]);
    expect(result).toMatchObject({ refusedBy: 1, waitUs: 7 });
  });

  test("nothing is refunded if each is spent as it admits (key_first)", () => {
    const { operations } = takeWith([key, api], [admits(), refuses(7)], "spend", false);
    expect(operations).toEqual(["take spend key", "take spend api"]);
  });

  test("a sentinel has taken nothing yet", () => {
    const sentinel = level("sentinel", { rate: 5, per: 10, scope: "api" });
    expect(takeWith([sentinel, key], [admits(), refuses(7)]).operations).toEqual([
      "take spend api",
      "take spend key",
    ]);
  });

  test("after a refusal by the first, the rest is only evaluated", () => {
    expect(takeWith([api, key], [refuses(7)]).operations).toEqual([
      "take spend api",
      "take evaluate key",
    ]);
  });

  test("an evaluation refunds nothing if the store fails", () => {
    const here = level("drl", { rate: 5, per: 10, scope: "api" });
    const { operations, result } = takeWith(
      [here, key],
      [admits(), { failed: "error" }],
      "evaluate",
    );
    expect(operations).toEqual(["take evaluate api", "take evaluate key"]);
    expect(result).toEqual({ failed: "error" });
  });

  test("levels that are counted here are refunded if the store fails, in any order (ALG-C8)", () => {
    const here = level("drl", { rate: 5, per: 10 });
    const answers = [admits(), admits(), { failed: "error" }] as const;
    expect(takeWith([here, quota, api], answers, "spend", false).operations).toEqual([
      "take spend key",
      "take spend quota",
      "take spend api",
      "give_back key",
    ]);
  });

  test("an evaluation refunds nothing, because it spent nothing", () => {
    expect(takeWith([api, key], [admits(), refuses(7)], "evaluate").operations).toEqual([
      "take evaluate api",
      "take evaluate key",
    ]);
  });

  test("a store that fails ends it, and the spent levels are refunded (ALG-C8)", () => {
    const { operations, result } = takeWith([api, key, quota], [admits(), { failed: "timeout" }]);
    expect(operations).toEqual(["take spend api", "take spend key", "give_back api"]);
    expect(result).toEqual({ failed: "timeout" });
  });

  test("the wait is the longest of all that would refuse (HDR-C1)", () => {
    const { result } = takeWith([api, key, quota], [refuses(7), refuses(9), refuses(3)]);
    expect(result).toMatchObject({ refusedBy: 0, waitUs: 9 });
  });
});

describe("the level in the headers (HDR-C2)", () => {
  const admitsWith = (remaining: number, resetUs: number): Reply =>
    admits({ shown: 0, limit: 10 + remaining, remaining, resetUs });
  const none = (resetUs: number): Reply => ({ ...admitsWith(0, resetUs), refusedBy: 0, waitUs: 1 });

  test.each<[string, readonly Level[], readonly Reply[], number, number]>([
    ["has fewest left", [api, key], [admitsWith(3, 9), admitsWith(1, 5)], 1, 5],
    ["also where it comes first", [api, key], [admitsWith(1, 5), admitsWith(3, 9)], 0, 5],
    [
      "of two with as many left, ends later",
      [api, key],
      [admitsWith(2, 5), admitsWith(2, 9)],
      1,
      9,
    ],
    ["also where that one comes first", [api, key], [admitsWith(2, 9), admitsWith(2, 5)], 0, 9],
    [
      "is the one that refuses, whatever was left before",
      [api, key],
      [admitsWith(0, 9), none(5)],
      1,
      5,
    ],
    ["is the first that refuses", [api, key], [none(5), none(9)], 0, 5],
    ["is not one that is only evaluated", [api, key], [none(5), admitsWith(0, 9)], 0, 5],
    ["is never a quota", [key, quota], [admitsWith(3, 5), admitsWith(1, 9)], 0, 5],
    ["nor one that refuses", [key, quota], [admitsWith(3, 5), none(9)], 0, 5],
  ])("%s", (_, levels, answers, shown, resetUs) => {
    const { limit, remaining } = answers[shown]!;
    expect(takeWith(levels, answers).result).toMatchObject({
      shown,
      limit,
      remaining,
      resetUs,
    });
  });

  test("is none where there is a quota alone", () => {
    expect(takeWith([quota], [admitsWith(1, 9)]).result).toMatchObject({ shown: -1, limit: -1 });
  });
});

describe("the log as single commands (ALG-7, ALG-C6)", () => {
  test("one pipeline, and nothing more while there is room", () => {
    const { operations, result } = takeWith([pipelined], [admits({ count: 0 })]);
    expect(operations).toEqual(["prune count add expire"]);
    const resetUs = atUs(10);
    expect(result).toMatchObject({ refusedBy: -1, waitUs: 0, limit: 2, remaining: 1, resetUs });
  });

  test.each([
    ["sliding_log", true],
    ["non_transactional", undefined],
  ] as const)("of a %s, in one transaction: %s (ALG-C7)", (algorithm, isTransaction) => {
    const levels = [level(algorithm, { rate: 2, per: 10 })];
    const input = {
      levels,
      client: alice,
      atUs: atUs(0),
      intent: "spend",
      units: 1,
      givesBack: true,
    } as const;
    const first = takeInSequence({ ...input, inTransactions: true }).next().value;
    expect(first).toMatchObject({ op: "pipeline" });
    expect(first).toHaveProperty("commands.length", 4);
    expect(Reflect.get(first as object, "isTransaction")).toBe(isTransaction);
    expect(takeInSequence({ ...input, levels: [api] }).next().value).toMatchObject({ op: "take" });
  });

  test.each([
    ["at its threshold ends by itself", atUs(20), undefined],
    ["with falls to come does not", Number.POSITIVE_INFINITY, true],
  ])("the log of an allowance %s (SMO-C6)", (_, resetUs, hasFallsToCome) => {
    const parts = { rate: 5, per: 10, smoothing: smoothing(2, 1, 0.5, 5) };
    const levels = [level("non_transactional", parts)];
    const about = {
      levels,
      client: alice,
      atUs: atUs(0),
      intent: "spend",
      units: 1,
      givesBack: true,
    } as const;
    const steps = takeInSequence(about);
    expect(steps.next().value).toMatchObject({ op: "allowance" });
    const { commands } = steps.next(admits({ allowance: 2, resetUs })).value as StoreOp & {
      op: "pipeline";
    };
    expect(commands.at(-1)).toMatchObject({ op: "expire" });
    expect(commands.at(-1)!.hasFallsToCome).toBe(hasFallsToCome);
  });

  test("an evaluation is the same operation for every log", () => {
    expect(takeWith([pipelined], [], "evaluate").operations).toEqual(["take evaluate key"]);
  });

  test("an attempt that leaves nothing reads the timestamp that expires next", () => {
    const { operations, result } = takeWith([pipelined], [admits({ count: 1 }), refuses(4)]);
    expect(operations).toEqual(["prune count add expire", "take evaluate key"]);
    const resetUs = atUs(0) + 4;
    expect(result).toMatchObject({ refusedBy: -1, waitUs: 0, remaining: 0, resetUs });
  });

  test("a refused attempt stays, as in every log (ALG-3)", () => {
    const { operations, result } = takeWith([pipelined], [admits({ count: 2 }), refuses(4)]);
    expect(operations).toEqual(["prune count add expire", "take evaluate key"]);
    expect(result).toMatchObject({ refusedBy: 0, waitUs: 4 });
  });

  test("a throttled attempt is evaluated first, and is not written if it is refused (LIM-C9)", () => {
    const { operations, result } = takeWith([pipelined], [refuses(4)], "try");
    expect(operations).toEqual(["take evaluate key"]);
    expect(result).toMatchObject({ refusedBy: 0, waitUs: 4 });
  });

  test("an attempt that others overtake after its evaluation is refunded", () => {
    const { operations } = takeWith([pipelined], [admits(), admits({ count: 2 })], "try");
    expect(operations).toEqual([
      "take evaluate key",
      "prune count add expire",
      "give_back key",
      "take evaluate key",
    ]);
  });

  test("a refusal by the API is written even then, because it is final", () => {
    const shared = level("non_transactional", { rate: 2, per: 10, scope: "api" });
    expect(takeWith([shared], [admits({ count: 2 })], "try").operations).toEqual([
      "prune count add expire",
      "take evaluate api",
    ]);
  });

  test("A changes in one step before the commands, and limits them", () => {
    const smoothed = level("non_transactional", {
      rate: 9,
      per: 10,
      smoothing: smoothing(3, 2, 0.5, 5),
    });
    const { operations, result } = takeWith(
      [smoothed],
      [admits({ allowance: 5 }), admits({ count: 4 })],
    );
    expect(operations.slice(0, 2)).toEqual(["allowance key", "prune count add expire"]);
    expect(result).toMatchObject({ refusedBy: -1, limit: 5, allowance: 5 });
  });

  test.each([
    ["the step of A", [{ failed: "error" }]],
    ["the pipeline", [admits({ allowance: 5 }), { failed: "error" }]],
    ["the evaluation of the wait", [admits({ allowance: 1 }), admits(), { failed: "error" }]],
  ] as const)("a store that fails at %s has failed", (_, answers) => {
    const smoothed = level("non_transactional", {
      rate: 9,
      per: 10,
      smoothing: smoothing(3, 2, 0.5, 5),
    });
    expect(takeWith([smoothed], answers).result).toEqual({ failed: "error" });
  });
});

describe("over a local store", () => {
  test("every operation has its reply before the next is sent", () => {
    const { store } = requestsTo();
    const local = localStore(store, memoryStore());
    const decide = () =>
      runSequence(local, {
        levels: [pipelined, api],
        client: alice,
        atUs: atUs(0),
        intent: "spend",
        units: 1,
      });
    const decisions = [decide(), decide(), decide()];
    expect(decisions.map(({ refused }) => refused)).toEqual([null, null, "rate"]);
    expect(decisions.some(({ fallback }) => fallback)).toBe(false);
  });
});

test("an empty reply has no values of a level", () => {
  expect(emptyReply()).toMatchObject({ refusedBy: -1, waitUs: 0, shown: -1, limit: -1 });
  expect(emptyReply()).toMatchObject({ remaining: -1, resetUs: 0, allowance: -1, quotaLeft: -1 });
});
