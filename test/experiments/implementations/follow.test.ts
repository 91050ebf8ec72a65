// Following a profile through spans of time: a decision of a history is possible, open or impossible.
import { expect, test } from "vitest";
import { playVirtual } from "../../../src/drivers/virtual.ts";
import {
  followHistory,
  type FollowedHistory,
} from "../../../src/experiments/implementations/follow.ts";
import { REASONS, type History } from "../../../src/scenario/history.ts";
import { plan } from "../../../src/scenario/plan/plan.ts";
import { decode } from "../../../src/scenario/read/decode.ts";

const scenarioText = (gateway: string, times: string): string => `
id: proofs/follow
title: a history is followed
proves: [LIM-1]
world:
  apis: { orders: { listen: /orders } }
  keys: { alice: { apis: [orders], rate: 2, per: 1 } }
  gateway: ${gateway}
traffic: [{ as: alice, send: GET /orders, trace: { times: [${times}] } }]
expect: [{ id: decides, count: {}, atLeast: 1 }]
`;

const WINDOW = "{ algorithm: fixed_window, fixed_window_start: first_request }";

/** Decisions as "+" and "-", at these times; the span of each is longer by the margin at each end. */
function follow(
  decided: string,
  times: string,
  marginMs: number,
  { gateway = WINDOW, isOrdered = true } = {},
): FollowedHistory {
  const { scenario, problems } = decode(
    "scenarios/proofs/follow.yaml",
    scenarioText(gateway, times),
  );
  if (scenario === null) throw new Error(JSON.stringify(problems));
  const variant = scenario.variants[0]!;
  const planned = plan(variant, scenario.id, 1);
  const played = playVirtual(variant, planned);
  const reason = Uint8Array.from(decided, (each) =>
    REASONS.indexOf(each === "+" ? "none" : "rate"),
  );
  const history: History = { ...played, requests: { ...played.requests, reason } };
  return followHistory(history, { variant, plan: planned, marginUs: marginMs * 1_000, isOrdered });
}

test("decisions that the profile makes at their times are possible", () => {
  expect(follow("++-+", "0s, 100ms, 200ms, 1s", 0)).toEqual({ open: [], impossible: null });
});

test("a decision that it makes at no time of the span is impossible", () => {
  expect(follow("+++", "0s, 100ms, 200ms", 50)).toEqual({ open: [], impossible: 2 });
  expect(follow("+-", "0s, 100ms", 50)).toEqual({ open: [], impossible: 1 });
});

test.each(["++-", "+++"])("near the end of a window both are possible, and open: %s", (decided) => {
  expect(follow(decided, "0s, 100ms, 1s", 10)).toEqual({ open: [2], impossible: null });
});

test("later decisions exclude a time", () => {
  // The third request began the second window or was refused, so two more are admitted or one.
  expect(follow("++++-", "0s, 100ms, 1s, 1.5s, 1.6s", 10).impossible).toBeNull();
  expect(follow("+++++", "0s, 100ms, 1s, 1.5s, 1.6s", 10).impossible).toBe(4);
  expect(follow("++-++", "0s, 100ms, 1s, 1.5s, 1.6s", 10).impossible).toBeNull();
});

test("requests at once have any order, unless theirs is known", () => {
  const times = "0s, 100ms, 101ms, 102ms";
  expect(follow("-++-", times, 200, { isOrdered: false }).impossible).toBeNull();
  expect(follow("-++-", times, 200, { isOrdered: true }).impossible).toBe(0);
});

test("the words of a profile are followed too", () => {
  const gateway = `{ algorithm: fixed_window, imitate: { last_of_window: refused } }`;
  expect(follow("+-", "0s, 100ms", 5, { gateway }).impossible).toBeNull();
  expect(follow("++", "0s, 100ms", 5, { gateway }).impossible).toBe(1);
});
