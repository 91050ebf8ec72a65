// The headers about limits that the oracle allows (HDR-C2), compared with headers written by hand.
import { expect, test } from "vitest";
import type { GatewayOptions } from "#src/limiter/core/config.ts";
import { limitOf } from "#src/limiter/core/limit.ts";
import { secondsToMicros } from "#src/kit/units.ts";
import { headerDisagreement } from "#src/lab/check/limit-headers.ts";
import { tryText } from "#src/studies/swarm/trial.ts";
import { BOUNDED, historyOf, rowsOf, type HistoryText, type Row } from "../../histories/history.ts";
import { api, key, type VariantText } from "../../histories/world.ts";
import { evaluate } from "./evaluate.ts";

const legacy = { rateLimitHeaders: "legacy" } as const;
const flows = [{ name: "only" }];

/** The problem of the headers of the last row; null if there is none. */
function wrong(world: VariantText, rows: readonly Row[], more: HistoryText = {}): string | null {
  const text = { ...more, rows, flows };
  const results = evaluate(world, text);
  const last = rows.length - 1;
  return headerDisagreement(historyOf(text), last, results.rows[last]!);
}

type Triple = readonly [limit: number, remaining: number, reset: number];

/** The values that the oracle allows for the last row, out of these three and their neighbours. */
function triplesAllowed(world: VariantText, rows: readonly Row[], triple: Triple): number[][] {
  const near = [0, 1, 2].flatMap((place) =>
    [-1, 1, Number.NaN].map((by) =>
      triple.map((value, index) => value + (index === place ? by : 0)),
    ),
  );
  const legacyWorld = { ...world, options: { ...legacy, ...world.options } };
  return [[...triple], ...near].filter(
    ([limit, remaining, reset]) =>
      wrong(legacyWorld, [
        ...rows.slice(0, -1),
        { ...rows.at(-1)!, limit: limit!, remaining: remaining!, reset: reset! },
      ]) === null,
  );
}

const alice = (rate: number, per: number): VariantText => ({
  keys: [key("alice", { limit: limitOf(rate, per) })],
});
const aliceUnder = (
  algorithm: GatewayOptions["algorithm"],
  more: Partial<GatewayOptions> = {},
): VariantText => ({ ...alice(3, 10), options: { algorithm, ...more } });

test.each<[GatewayOptions["algorithm"], string, Triple]>([
  ["sliding_log", "2*200", [3, 1, 11]], // full when the newest has left
  ["sliding_log", "3*200", [3, 0, 10]], // one more passes when the oldest has
  ["sliding_log", "3*200 429", [3, 0, 11]], // the refusal is in the log
  ["bounded_log", "3*200 429", [3, 0, 11]],
  ["sentinel", "3*200 429", [3, 0, 11]],
  ["fixed_window", "2*200", [3, 1, 10]],
  ["fixed_window", "3*200 429", [3, 0, 10]],
  ["drl", "3*200 429", [3, 0, 10]],
  ["token_bucket", "200", [3, 2, 4]], // each is paid back in 3 1/3 s
  ["token_bucket", "2*200", [3, 1, 7]],
  ["token_bucket", "3*200 429", [3, 0, 4]],
  ["gcra", "200", [3, 0, 4]],
  ["sliding_window_counter", "2*200", [3, 1, 20]],
  ["sliding_window_counter", "3*200", [3, 0, 14]], // 10 s + 1/3 of 10 s
])("%s after %s: limit, remaining and reset are %j", (algorithm, runs, triple) => {
  expect(triplesAllowed(aliceUnder(algorithm), rowsOf(runs, 0, 0.5), triple)).toEqual([triple]);
});

test("a window aligned to the clock ends by the clock", () => {
  const world = aliceUnder("fixed_window", { fixedWindowStart: "clock" });
  expect(triplesAllowed(world, [{ at: 3 }], [3, 2, 10])).toEqual([[3, 2, 10]]);
});

test("under DRL the limit is the whole one, and what remains is this gateway's", () => {
  const rows = rowsOf("200", 0, 1).map((row): Row => ({ ...row, fleet: 2 }));
  expect(
    triplesAllowed({ ...alice(10.5, 10), options: { algorithm: "drl" } }, rows, [10, 4, 10]),
  ).toEqual([[10, 4, 10]]);
});

test("the allowance is the limit where it is smoothed, and the hold-off may end before the window", () => {
  const smoothing = { threshold: 2, step: 2, trigger: 0.5, delayUs: secondsToMicros(3) };
  const world = { keys: [key("alice", { limit: limitOf(8, 10, smoothing) })] };
  expect(triplesAllowed(world, rowsOf("200", 0, 1), [2, 1, 10])).toEqual([[2, 1, 10]]);
  expect(triplesAllowed(world, rowsOf("2*200", 0, 1), [2, 0, 3])).toEqual([[2, 0, 3]]);
});

const both = (rate: number, per: number): VariantText => ({
  ...alice(3, 10),
  apis: [api("orders", { globalRateLimit: limitOf(rate, per) })],
});

test.each<[number, number, Triple]>([
  [2, 5, [2, 1, 5]],
  [4, 50, [3, 2, 10]],
  [3, 50, [3, 2, 50]], // as few remain, and for longer
  [3, 5, [3, 2, 10]],
])("with an API limit of %d in %d s the headers have the tighter one: %j", (rate, per, triple) => {
  expect(triplesAllowed(both(rate, per), [{ at: 0 }], triple)).toEqual([triple]);
});

test.each<[number, number, Triple]>([
  [2, 5, [3, 2, 10]],
  [4, 50, [4, 3, 50]],
  [3, 50, [3, 2, 10]], // as few remain, and for a shorter time
  [3, 5, [3, 2, 5]],
])("with an API limit of %d in %d s those of the looser one are wrong: %j", (rate, per, triple) => {
  expect(triplesAllowed(both(rate, per), [{ at: 0 }], triple)).not.toContainEqual(triple);
});

test("if either of two budgets may be the tighter one, all headers are of one of them", () => {
  // The first request may have left the key's window of 1 s when the second arrives, and the API's 4 per 50 s have it.
  const world: VariantText = {
    options: legacy,
    keys: [key("alice", { limit: limitOf(3, 1) })],
    apis: [api("orders", { globalRateLimit: limitOf(4, 50) })],
  };
  const wrongIn = ([limit, remaining, reset]: Triple): string | null =>
    wrong(
      world,
      [
        { at: 0, span: [0, 0.04] },
        { at: 1, span: [1, 1.04], limit, remaining, reset },
      ],
      { timing: BOUNDED },
    );
  expect(wrongIn([3, 2, 2])).toBeNull();
  expect(wrongIn([4, 2, 51])).toBeNull();
  expect(wrongIn([3, 2, 51])).toMatch(/^no single budget has all these limit headers: /);
  expect(wrongIn([4, 2, 2])).toMatch(/^no single budget has all these limit headers: /);
  expect(wrongIn([5, 2, 2])).toMatch(/^X-RateLimit-Limit 5, expected /);
});

test("a refusal reports the budget that refused, even if another has as few left", () => {
  const rows: Row[] = [{ at: 0 }, { at: 1, status: 429, by: "api" }];
  expect(
    triplesAllowed(
      { ...both(1, 5), keys: [key("alice", { limit: limitOf(1, 50) })] },
      rows,
      [1, 0, 6],
    ),
  ).toEqual([[1, 0, 6]]);
});

const quota = { max: 1, renewalUs: secondsToMicros(60) };

test("a refusal by the quota reports the rate unchanged", () => {
  const world = { keys: [key("alice", { limit: limitOf(3, 10), quota })] };
  const rows: Row[] = [{ at: 0 }, { at: 1, status: 403, reason: "quota" }];
  expect(triplesAllowed(world, rows, [3, 2, 10])).toEqual([[3, 2, 10]]);
});

test("a request without a rate limit gets no headers", () => {
  const rows: Row[] = [{ at: 0 }];
  for (const world of [alice(-1, 0), { keys: [key("alice", { limit: null, quota })] }]) {
    expect(wrong({ ...world, options: legacy }, rows)).toBeNull();
    expect(wrong({ ...world, options: legacy }, [{ at: 0, remaining: 1 }])).toContain(
      "X-RateLimit-Remaining 1, expected none",
    );
  }
});

test("a request rejected before any limit gets no headers", () => {
  const world = { ...alice(3, 10), options: legacy };
  const stranger = { flows: [{ name: "only", as: "nobody" }] };
  const row: Row = { at: 0, status: 403, reason: "credential" };
  const text = { ...stranger, rows: [{ ...row, limit: 3 }] };
  const { rows } = evaluate(world, text);
  expect(rows[0]!.headers).toEqual({ form: "legacy", budgets: [] });
  expect(headerDisagreement(historyOf(text), 0, rows[0]!)).toContain("expected none");
});

test("a limit of nothing never resets", () => {
  const row: Row = { at: 0, status: 429, by: "key", limit: 0, remaining: 0 };
  const world = { ...alice(0, 10), options: legacy };
  expect(wrong(world, [row])).toBeNull();
  expect(wrong(world, [{ ...row, reset: 10 }])).toContain("X-RateLimit-Reset 10, expected none");
});

const OLDER = { limit: 3, remaining: 2, reset: 10 };
const STANDARDS = { policy: '"key";q=3;w=10', standing: '"key";r=2;t=10' };

test.each([
  ["legacy", OLDER, STANDARDS],
  ["ietf", STANDARDS, OLDER],
  ["both", { ...OLDER, ...STANDARDS }, {}],
  ["off", {}, { ...OLDER, ...STANDARDS }],
] as const)(
  "in the form %s the headers have %j and not %j",
  (rateLimitHeaders, present, absent) => {
    const world = { ...alice(3, 10), options: { rateLimitHeaders } };
    expect(wrong(world, [{ at: 0, ...present }])).toBeNull();
    for (const name of Object.keys(present))
      expect(wrong(world, [{ at: 0, ...present, [name]: undefined }])).not.toBeNull();
    for (const [name, value] of Object.entries(absent))
      expect(wrong(world, [{ at: 0, ...present, [name]: value }])).toContain("expected none");
  },
);

test.each([
  [{ policy: '"api";q=3;w=10' }, 'expected "key";q=3;w=10'],
  [{ policy: '"key";q=3' }, 'expected "key";q=3;w=10'],
  [{ standing: '"key";r=3;t=10' }, 'expected "key";r=2;t=10'],
  [{ standing: '"key";r=2;t=9' }, 'expected "key";r=2;t=10'],
])("%j is wrong: %s", (more, expected) => {
  const world = { ...alice(3, 10), options: { rateLimitHeaders: "ietf" } } as const;
  expect(wrong(world, [{ at: 0, ...STANDARDS, ...more }])).toContain(expected);
});

test("a window that is not a whole number of seconds is left out", () => {
  const world = { ...alice(2.5, 0.5), options: { rateLimitHeaders: "ietf" } } as const;
  const headers = { policy: '"key";q=2', standing: '"key";r=1;t=1' };
  expect(wrong(world, [{ at: 0, ...headers }])).toBeNull();
});

test("the reset is a Unix time, rounded up", () => {
  const world = { ...alice(3, 10), options: legacy };
  const headers = { limit: 3, remaining: 2 };
  const epoch = 1_767_225_600.25;
  // Ten seconds later is ...610.25, which a client reads as ...611.
  expect(wrong(world, [{ at: 0, ...headers, reset: 10.75 }], { epoch })).toBeNull();
  expect(wrong(world, [{ at: 0, ...headers, reset: 9.75 }], { epoch })).not.toBeNull();
});

test("a sentinel reports the threshold again after its store restarted, and not the earlier A", () => {
  const text = `id: x
title: a smoothed sentinel whose store restarts between two requests
world:
  apis: { orders: { listen: /orders } }
  keys:
    bob:
      apis: [orders]
      rate: 2
      per: 0.25
      smoothing: { enabled: true, threshold: 1, step: 1, trigger: 0.1, delay: 0.25 }
  gateway: { algorithm: sentinel }
  fleet: { nodes: 1 }
traffic: [{ name: a, as: bob, send: GET /orders, trace: { times: [0s, 333ms, 1.4s] } }]
faults: [{ at: 500ms, store: restart }]
expect:
  - id: agrees with the specification
    decisions: {}
    agreeWith: oracle
    open: { atMost: 0.35, because: the store restarts between two requests }
  - { id: it had risen, events: { event: RateLimitSmoothingUp }, equals: 1 }
`;
  const { failure, verdicts } = tryText(text, 1, () => "");
  expect(failure).toBeNull();
  expect(verdicts.map(({ outcome }) => outcome)).toEqual(["pass", "pass"]);
});

test("a header has whole numbers, also where several are allowed", () => {
  const world = { ...alice(3, 10), options: legacy };
  const problemOf = (remaining: number): string | null => {
    const text = { rows: [{ at: 0, limit: 3, remaining, reset: 10 }], flows };
    const expected = evaluate(world, text).rows[0]!;
    const { form, budgets } = expected.headers!;
    const open = budgets.map((each) => ({ ...each, remaining: { from: 1, to: 3 } }));
    return headerDisagreement(historyOf(text), 0, {
      ...expected,
      headers: { form, budgets: open },
    });
  };
  expect([1, 2, 3].map(problemOf)).toEqual([null, null, null]);
  expect(problemOf(2.5)).toContain("X-RateLimit-Remaining 2.5, expected 1 to 3");
});
