// Following a profile through spans of time: a decision of a history is possible, open or impossible.
import { expect, test } from "vitest";
import { playVirtual } from "#src/lab/drivers/virtual.ts";
import {
  followDecisions,
  followHistory,
  type FollowedHistory,
} from "#src/studies/implementations/follow.ts";
import { REASONS, type History } from "#src/lab/scenario/history.ts";
import { plan } from "#src/lab/scenario/plan/plan.ts";
import { decode } from "#src/lab/scenario/read/decode.ts";

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
  expect(follow("++-+", "0s, 100ms, 200ms, 1s", 0)).toEqual({ open: [], impossible: [] });
});

test("a decision that it makes at no time of the span is impossible", () => {
  expect(follow("+++", "0s, 100ms, 200ms", 50)).toEqual({ open: [], impossible: [2] });
  expect(follow("+-", "0s, 100ms", 50)).toEqual({ open: [], impossible: [1] });
});

test.each(["++-", "+++"])("near the end of a window both are possible, and open: %s", (decided) => {
  expect(follow(decided, "0s, 100ms, 1s", 10)).toEqual({ open: [2], impossible: [] });
});

test("later decisions exclude a time", () => {
  // The third request began the second window or was refused, so two more are admitted or one.
  expect(follow("++++-", "0s, 100ms, 1s, 1.5s, 1.6s", 10).impossible).toEqual([]);
  expect(follow("+++++", "0s, 100ms, 1s, 1.5s, 1.6s", 10).impossible).toEqual([4]);
  expect(follow("++-++", "0s, 100ms, 1s, 1.5s, 1.6s", 10).impossible).toEqual([]);
});

test("requests at once have any order, unless theirs is known", () => {
  const times = "0s, 100ms, 101ms, 102ms";
  expect(follow("-++-", times, 200, { isOrdered: false }).impossible).toEqual([]);
  expect(follow("-++-", times, 200, { isOrdered: true }).impossible).toEqual([0]);
});

test("the words of a profile are followed too", () => {
  const gateway = `{ algorithm: fixed_window, imitate: { last_of_window: refused_by_client_limits } }`;
  expect(follow("+-", "0s, 100ms", 5, { gateway }).impossible).toEqual([]);
  expect(follow("++", "0s, 100ms", 5, { gateway }).impossible).toEqual([1]);
});

test("of two clients at once either may have come first", () => {
  const { scenario } = decode(
    "scenarios/proofs/two.yaml",
    `
id: proofs/two
title: two clients are followed
proves: [LIM-1]
world:
  apis: { orders: { listen: /orders, rate: 100, per: 1 } }
  keys:
    alice: { apis: [orders], rate: 1, per: 1 }
    bob: { apis: [orders], rate: 1, per: 1 }
  gateway: ${WINDOW}
traffic:
  - { name: first, as: alice, send: GET /orders, trace: { times: [5ms, 1020ms] } }
  - { name: second, as: bob, send: GET /orders, trace: { times: [35ms, 1020ms] } }
expect: [{ id: decides, count: {}, atLeast: 1 }]
`,
  );
  const variant = scenario!.variants[0]!;
  const planned = plan(variant, scenario!.id, 1);
  const played = playVirtual(variant, planned);
  const decided = [...played.requests.reason].map((reason) => REASONS[reason]);
  expect(decided.filter((reason) => reason === "rate")).toHaveLength(1);
  // The first two have one span, from 0 to 40 ms; the others are at the end of the first window of one of them.
  const isEarly = (row: number): boolean => played.requests.sentUs[row]! < 1_000_000;
  const ends = (early: number): Float64Array =>
    Float64Array.from(played.requests.sentUs, (us, row) => (isEarly(row) ? early : us));
  const requests = { ...played.requests, sentUs: ends(0), fromUs: ends(0), toUs: ends(40_000) };
  const setting = { variant, plan: planned, marginUs: 0, isOrdered: false };
  for (const reason of [requests.reason, swapLast(requests.reason)])
    expect(
      followHistory({ ...played, requests: { ...requests, reason } }, setting).impossible,
    ).toEqual([]);
});

const swapLast = (all: Uint8Array): Uint8Array =>
  Uint8Array.from([...all.slice(0, -2), all.at(-1)!, all.at(-2)!]);

test("many requests in one span are followed by a bounded number of tries", () => {
  let tries = 0;
  const decide = (state: number) => {
    tries++;
    return { state: state + Math.sqrt(tries), isAdmitted: true, delayUs: 0 }; // no two states are equal
  };
  const request = { budgets: ["all"], identity: "all" };
  const decisions = Array.from({ length: 24 }, (_, row) => ({
    row,
    fromUs: 0,
    toUs: 1_000_000,
    delayUs: 0,
    change: 0,
    request,
    isAdmitted: row !== 23, // no possibility has the last one, so that as many as can be are tried
  }));
  const { impossible } = followDecisions(
    decisions,
    { first: 0, decide, fingerprint: (state) => `${state}` },
    false,
  );
  expect(impossible).toHaveLength(1);
  expect(tries).toBeLessThan(250_000);
});
