// Requests in a queue whose effect a history does not have, or has only in part (ALG-C10).
import { expect, test } from "vitest";
import { limitOf } from "#src/limiter/core/limit.ts";
import { secondsToMicros } from "#src/kit/units.ts";
import type { Row } from "../../histories/history.ts";
import { configuration, key, type VariantText } from "../../histories/world.ts";
import { answers, evaluate } from "./evaluate.ts";

const us = secondsToMicros;
const refused = { status: 429, by: "key" } as const;
const queueing = (rate: number, queue: number | "rate", more: VariantText = {}): VariantText => ({
  keys: [key("alice", { limit: limitOf(rate, 0.25) })],
  options: { algorithm: "leaky_bucket", queue },
  ...more,
});

const restart = [{ kind: "gateway_restart", atUs: us(1.75), node: 0 }] as const;

test.each([
  [1, [1.645167, 1.689693], "admit open admit"],
  // A request that was decided before it was sent is evaluated as always.
  [1, [1.4, 1.41, 1.499, 1.689693], "2*admit 429 open admit"],
])(
  "a request that was lost in a queue of %d may have taken the place of a refused one",
  (queue, times, expected) => {
    const rows = times.map((at, index): Row => ({ at, ...(index === 0 ? {} : refused) }));
    if (times.length > 2) rows[1] = { at: times[1]!, delay: 0.24 };
    // It waited from 1.658126 s, and the gateway that restarts loses it.
    rows.push({ at: 1.658126, answered: 1.75, lost: "ended" });
    expect(answers(evaluate(queueing(1, queue, { faults: restart }), { rows }))).toBe(expected);
  },
);

test("a request that was lost may have begun the window of a quota, which then ends earlier", () => {
  const faults = [{ kind: "gateway_restart", atUs: us(2.75), node: 0 }] as const;
  const over = { status: 403, reason: "quota", by: "quota" } as const;
  const rows: Row[] = [{ at: 0.5 }, { at: 1, ...over }, { at: 1.4, ...over }];
  const lost: Row = { at: 0.4, answered: 2.75, lost: "ended" };
  const keys = [
    key("alice", { limit: limitOf(9, 0.25), quota: { max: 1, renewalUs: us(1) } }),
    key("bob", { limit: limitOf(1, 9) }),
  ];
  const world: VariantText = { options: { algorithm: "leaky_bucket" }, keys, faults };
  expect([
    answers(evaluate(world, { rows })),
    answers(evaluate(world, { rows: [...rows, lost] })),
  ]).toEqual(["admit 2*403", "open refuse 2*open"]);
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
