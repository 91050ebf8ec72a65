// The debt of token bucket and GCRA, worked by hand (ALG-C9).
import { expect, test } from "vitest";
import { limitOf } from "#src/limiter/core/limit.ts";
import { secondsToMicros } from "#src/kit/units.ts";
import { evaluateDebt, nothingSettled } from "#src/lab/oracle/debt.ts";
import type { Past } from "#src/lab/oracle/ledger.ts";
import { BOUNDED, type Row } from "../../histories/history.ts";
import { configuration, key, type VariantText, type WorldText } from "../../histories/world.ts";
import { answers, evaluate, retryAfter } from "./evaluate.ts";
import { attemptOf, momentOf } from "./attempts.ts";

const bucket = (rate: number): WorldText => ({
  keys: [key("alice", { limit: limitOf(rate, 1) })],
  options: { algorithm: "token_bucket" },
});
const refused = { status: 429, by: "key" } as const;

test.each([
  [2, 0.499999, "2*admit 429"],
  [2, 0.5, "3*admit"],
  [2.5, 0.399999, "2*admit 429"],
  [2.5, 0.4, "3*admit"],
  [2.25, 0.444444, "2*admit 429"],
  [2.25, 0.444445, "3*admit"],
])("a third of %d per second, at %d s: %s", (rate, at, expected) => {
  expect(answers(evaluate(bucket(rate), { rows: [{ at: 0 }, { at: 0 }, { at }] }))).toBe(expected);
});

test("the reason has the present debt and the largest allowed one", () => {
  const rows: Row[] = [{ at: 0 }, { at: 0 }, { at: 0.25, ...refused }];
  expect(evaluate(bucket(2), { rows }).rows[2]?.why).toBe(
    "key: 1.5 requests owed, 1 may be (LIM-1)",
  );
});

test.each([
  [0.5, 0.5, "0.5 to 0.75"],
  [0.25, 0.5, "0 to 1"],
  [0.2, 0.5, "0 to 1.05"],
])("who came until 0.25 s owes from %d s to %d s: %s", (from, to, owed) => {
  const rows: Row[] = [
    { at: 0, span: [0, 0.25] },
    { at: from, span: [from, to] },
  ];
  expect(evaluate(bucket(1), { rows, timing: BOUNDED }).rows[1]?.why).toBe(
    `key: ${owed} requests owed, 0 may be (LIM-1)`,
  );
});

test("a stamp that is ahead may have been paid up to, or not at all", () => {
  const rows: Row[] = [
    { at: 0, stamp: 0.6, gateway: 1 },
    { at: 0.1, stamp: 0.1 },
  ];
  expect(evaluate(bucket(1), { rows }).rows[1]?.why).toBe(
    "key: 1 to 1.5 requests owed, 0 may be (LIM-1)",
  );
});

test("to come back in a second is enough where a request is owed", () => {
  expect(retryAfter(evaluate(bucket(1), { rows: [{ at: 0 }, { at: 0, ...refused }] }), 1)).toBe(
    "1",
  );
});

test("a limit below one admits nothing", () => {
  const results = evaluate(bucket(0.5), { rows: [{ at: 0, ...refused }] });
  expect([answers(results), retryAfter(results, 0)]).toEqual(["429", "absent"]);
  expect(results.rows[0]?.why).toContain("the limit admits nothing");
});

test.each([
  [
    [
      ["alice", 0],
      ["bob", 0.999999],
    ],
    "admit open",
  ],
  [
    [
      ["alice", 0],
      ["bob", 1],
      ["bob", 1],
      ["bob", 1],
      ["bob", 1],
    ],
    "4*admit 429",
  ],
  [
    [
      ["bob", 0],
      ["alice", 0.999999],
    ],
    "admit open",
  ],
  [
    [
      ["bob", 0],
      ["alice", 1],
      ["alice", 1],
      ["alice", 1],
    ],
    "3*admit 429",
  ],
  // Bob's requests are a debt as long as the budget is used: how much of it is left is open.
  [
    [
      ["bob", 0],
      ["bob", 0],
      ["alice", 0.5],
      ["alice", 1.1],
      ["alice", 1.2],
      ["alice", 2.2],
      ["alice", 2.2],
      ["alice", 2.2],
    ],
    "2*admit 3*open 2*admit 429",
  ],
] as const)("a debt from another rate, %j: %s", (sends, expected) => {
  const metaData = { rate_limit_pattern: "$gw_meta.team", team: "red" };
  const shared: VariantText = {
    keys: [
      key("alice", { limit: limitOf(2, 1), metaData }),
      key("bob", { limit: limitOf(3, 1), metaData }),
    ],
    options: { algorithm: "token_bucket" },
  };
  const flows = [{ name: "alice" }, { name: "bob", as: "bob" }];
  const rows = sends.map(([flow, at]): Row => ({ at, flow, key: flow }));
  expect(answers(evaluate({ ...shared, flows }, { rows, flows }))).toBe(expected);
});

test.each([
  [1, "4"],
  [0.999999, "5"],
  [1.000001, "4"],
])("two in 10 s were spent at once: a client that sends at %d s waits %s s", (at, seconds) => {
  const slow: VariantText = {
    keys: [key("alice", { limit: limitOf(2, 10) })],
    options: { algorithm: "token_bucket" },
  };
  const rows: Row[] = [{ at: 0 }, { at: 0 }, { at, ...refused }];
  expect(retryAfter(evaluate(slow, { rows }), 2)).toBe(seconds);
});

test("the reason names a recent use at another rate, and no longer a window later", () => {
  const faults = [
    {
      kind: "configure",
      atUs: secondsToMicros(3.8),
      configuration: configuration(bucket(2)),
    },
  ] as const;
  const many = Array.from({ length: 12 }, (_, index): Row => ({ at: (index * 34) / 100 }));
  const last = (at: number) =>
    evaluate({ ...bucket(3), faults }, { rows: [...many, { at }] }).rows.at(-1)?.why;
  expect(last(4.739999)).toBe("key: the budget was used at another rate a moment ago (LIM-1)");
  expect(last(4.74)).toBe("key: 0 requests owed, 1 may be (LIM-1)");
});

/** "20-50 30" was decided from 20 to 50, and carries the stamp 30. */
function debtText(text: string, nowUs: number): string {
  const past = text.split(", ").map((word, row): Past => {
    const [span = "", stamp] = word.split(" ");
    const [fromUs = 0, toUs = fromUs] = span.split("-").map(Number);
    const [loUs, hiUs] = stamp === undefined ? [fromUs, toUs] : [Number(stamp), Number(stamp)];
    return { attempt: attemptOf({ ...momentOf(row, fromUs, toUs), loUs, hiUs }), counts: "yes" };
  });
  const rule = { rate: 1, perUs: 100, burst: 1, cost: 1, isQueue: false };
  return evaluateDebt(nothingSettled(1, 100), past, momentOf(9, nowUs), rule).why;
}

test.each([
  ["20-50, 60-65, 0-70", 100, "2 to 2.7"],
  ["0-50, 50-60", 100, "1 to 1.5"],
  ["10 0, 10 30", 40, "1.6"],
])("%s: the debt at %d is %s", (text, now, requests) => {
  expect(debtText(text, now)).toBe(`${requests} requests owed, 0 may be`);
});
