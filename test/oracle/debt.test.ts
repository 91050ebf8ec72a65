// What token bucket and GCRA owe, worked by hand (ALG-C9).
import { expect, test } from "vitest";
import { limitOf } from "../../src/core/limit.ts";
import { BOUNDED, type Row } from "../histories/history.ts";
import { key, type VariantText } from "../histories/world.ts";
import { answers, asked, retryAfter } from "./asked.ts";

const bucket = (rate: number): VariantText => ({
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
])("a third of %d per second, at %d s: %s", (rate, at, said) => {
  expect(answers(asked(bucket(rate), { rows: [{ at: 0 }, { at: 0 }, { at }] }))).toBe(said);
});

test("it says what is owed, and how much may be", () => {
  const rows: Row[] = [{ at: 0 }, { at: 0 }, { at: 0.25, ...refused }];
  expect(asked(bucket(2), { rows }).rows[2]?.why).toBe("key: 1.5 requests owed, 1 may be (LIM-1)");
  const spans: Row[] = [{ at: 0, span: [0, 0.25] }, { at: 0.5 }];
  expect(asked(bucket(1), { rows: spans, timing: BOUNDED }).rows[1]?.why).toBe(
    "key: 0.5 to 0.75 requests owed, 0 may be (LIM-1)",
  );
});

test("to come back in a second is enough where a request is owed", () => {
  expect(retryAfter(asked(bucket(1), { rows: [{ at: 0 }, { at: 0, ...refused }] }), 1)).toBe("1");
});

test("a limit below one admits nothing", () => {
  const judgement = asked(bucket(0.5), { rows: [{ at: 0, ...refused }] });
  expect([answers(judgement), retryAfter(judgement, 0)]).toEqual(["429", "absent"]);
  expect(judgement.rows[0]?.why).toContain("the limit admits nothing");
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
      ["alice", 1.499999],
    ],
    "admit open",
  ],
  [
    [
      ["bob", 0],
      ["alice", 1.5],
      ["alice", 1.5],
      ["alice", 1.5],
    ],
    "3*admit 429",
  ],
] as const)("what was owed at another rate, %j: %s", (who, said) => {
  const metaData = { rate_limit_pattern: "$gw_meta.team", team: "red" };
  const shared: VariantText = {
    keys: [
      key("alice", { limit: limitOf(2, 1), metaData }),
      key("bob", { limit: limitOf(3, 1), metaData }),
    ],
    options: { algorithm: "token_bucket" },
  };
  const flows = [{ name: "alice" }, { name: "bob", as: "bob" }];
  const rows = who.map(([flow, at]): Row => ({ at, flow, key: flow }));
  expect(answers(asked({ ...shared, flows }, { rows, flows }))).toBe(said);
});
