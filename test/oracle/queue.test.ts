// Requests in a queue whose effect a history does not have, or has only in part (ALG-C10).
import { expect, test } from "vitest";
import { limitOf } from "../../src/core/limit.ts";
import { micros, secondsToMicros } from "../../src/core/units.ts";
import type { Row } from "../histories/history.ts";
import {
  api,
  configuration,
  endpoint,
  key,
  policy,
  right,
  type VariantText,
} from "../histories/world.ts";
import { answers, evaluate, oracleWorld } from "./evaluate.ts";

const us = secondsToMicros;
const refused = { status: 429, by: "key" } as const;
const queueing = (rate: number, queue: number | "rate", more: VariantText = {}): VariantText => ({
  keys: [key("alice", { limit: limitOf(rate, 0.25) })],
  options: { algorithm: "leaky_bucket", queue },
  ...more,
});

const restart = [{ kind: "gateway_restart", atUs: us(1.75), node: 0 }] as const;

test.each([
  // The second request waited from 1.658126 s, and the gateway that restarts loses it.
  [1, [1.645167, 1.689693], "2*open"],
  [0, [1.645167, 1.689693], "admit 429"],
  // A request that was decided before the longest queue began is evaluated as always.
  [1, [1.4, 1.41, 1.499, 1.689693], "2*admit 429 open"],
])(
  "a request that was lost in a queue of %d may have taken the place of a refused one",
  (queue, times, expected) => {
    const rows = times.map((at, index): Row => ({ at, ...(index === 0 ? {} : refused) }));
    if (times.length > 2) rows[1] = { at: times[1]!, delay: 0.24 };
    expect(
      answers(evaluate(queueing(1, queue, { faults: restart }), { rows, unanswered: 1 })),
    ).toBe(expected);
  },
);

test("a request that was lost may have begun the window of a quota, which then ends earlier", () => {
  const faults = [{ kind: "gateway_restart", atUs: us(2.75), node: 0 }] as const;
  const rows: Row[] = [{ at: 0.5 }, { at: 1 }, { at: 1.4 }];
  const keys = [
    key("alice", { limit: limitOf(9, 0.25), quota: { max: 1, renewalUs: us(1) } }),
    key("bob", { limit: limitOf(1, 9) }),
  ];
  const world: VariantText = { options: { algorithm: "leaky_bucket" }, keys, faults };
  expect([
    answers(evaluate(world, { rows })),
    answers(evaluate(world, { rows, unanswered: 1 })),
  ]).toEqual(["admit 2*403", "3*open"]);
});

test("without lost requests a restart leaves nothing open", () => {
  const rows: Row[] = [
    { at: 1.645167 },
    { at: 1.658126, delay: 0.237 },
    { at: 1.689693, ...refused },
  ];
  expect(answers(evaluate(queueing(1, 1, { faults: restart }), { rows }))).toBe("2*admit 429");
});

test("a queue that lasts longer than the window is a debt at another rate, until it may be empty", () => {
  const atUs = us(0.9);
  const faults = [
    { kind: "configure", atUs, configuration: configuration(queueing(3, 12)) },
  ] as const;
  const eight = Array.from({ length: 8 }, (): Row => ({ at: 0 }));
  const last = (at: number): string =>
    answers(evaluate(queueing(2, 12, { faults }), { rows: [...eight, { at }] }));
  // At 2 per 0.25 s the last of eight leaves at 0.875 s, and the next may at 1 s.
  expect([last(0.95), last(0.999999), last(1)]).toEqual([
    "8*admit open",
    "8*admit open",
    "9*admit",
  ]);
});

test("the longest queue is that of the limit that takes longest, in any configuration", () => {
  const options = { algorithm: "leaky_bucket", queue: 6 } as const;
  const queueUs = (more: VariantText): number => oracleWorld({ options, ...more }).queueUs;
  const slow = limitOf(2, 1); // six wait for 3 s
  const plain = { keys: [key("alice", { limit: limitOf(6, 1) })] };
  const faults = [
    { kind: "configure", atUs: us(1), configuration: configuration(queueing(1, 9)) },
  ] as const;
  expect([
    queueUs(plain),
    queueUs({ ...plain, apis: [api("orders", { globalRateLimit: slow })] }),
    queueUs({ ...plain, apis: [api("orders", { endpoints: [endpoint("GET", "/", slow)] })] }),
    queueUs({ ...plain, policies: [policy("gold", { limit: slow })] }),
    queueUs({ keys: [key("alice", { accessRights: new Map([["orders", right(slow)]]) })] }),
    queueUs({ ...plain, faults }),
    queueUs({ keys: [key("alice", { limit: limitOf(0.5, 1) })] }),
    oracleWorld({ ...plain, options: { algorithm: "leaky_bucket", queue: "rate" } }).queueUs,
    oracleWorld({ ...plain, options: { algorithm: "gcra", queue: 6 } }).queueUs,
  ]).toEqual([us(1), us(3), us(3), us(3), us(3), us(2.25), 0, us(1), 0]);
});

test("a clock that is behind lets a request wait for longer", () => {
  const environment = { skewUs: [micros(-20_000), micros(5_000)] };
  const faults = [{ kind: "clock_skew", atUs: us(1), node: 0, skewUs: us(0.1) }] as const;
  const queueUs = (more: VariantText): number => oracleWorld(queueing(1, 1, more)).queueUs;
  expect([queueUs({ environment }), queueUs({ environment, faults })]).toEqual([
    us(0.275),
    us(0.37),
  ]);
});

test.each([
  [0.95, { from: 1, to: 1 }],
  [1.2, { from: 0, to: 1 }],
])(
  "a response at %d s may state a reset that has passed after its operation was sent",
  (answered, resetInS) => {
    const world = queueing(1, 0, { options: { algorithm: "gcra", rateLimitHeaders: "ietf" } });
    const rows: Row[] = [{ at: 0.75 }, { at: 0.9, answered, ...refused }];
    expect(evaluate(world, { rows }).rows[1]?.headers?.budgets).toMatchObject([{ resetInS }]);
  },
);
