// The oracle on histories worked by hand: what the specification allows, request by request.
import { expect, test } from "vitest";
import type { GatewayOptions, Key } from "#src/limiter/core/config.ts";
import { limitOf } from "#src/limiter/core/limit.ts";
import { secondsToMicros } from "#src/kit/units.ts";
import { rowsOf, type Row } from "../../histories/history.ts";
import { configuration, key, type VariantText, type WorldText } from "../../histories/world.ts";
import { answers, evaluate, retryAfter } from "./evaluate.ts";

const alice = (rate: number, per: number): readonly Key[] => [
  key("alice", { limit: limitOf(rate, per) }),
];
const under = (
  algorithm: GatewayOptions["algorithm"],
  rate: number,
  per: number,
  more: Partial<GatewayOptions> = {},
): WorldText => ({
  keys: alice(rate, per),
  options: { algorithm, ...more },
});

test("a sliding log holds what it refused, and blocks as long as attempts keep coming (ALG-3, ALG-4)", () => {
  const rows = [...rowsOf("3*200 5*429", 0, 0.25), { at: 3, status: 200 }];
  expect(answers(evaluate(under("sliding_log", 3, 1), { rows }))).toBe("3*admit 5*429 admit");
});

test("a stamp exactly `per` old has left the window (ALG-C2)", () => {
  const rows = [{ at: 0 }, { at: 0.999999, status: 429, by: "key" }, { at: 1.999999 }] as const;
  expect(answers(evaluate(under("sliding_log", 1, 1), { rows }))).toBe("admit 429 admit");
});

test("a burst at one instant is decided in the order of its lines", () => {
  const rows = rowsOf("3*200 2*429", 5, 0);
  expect(answers(evaluate(under("sliding_log", 3, 1), { rows }))).toBe("3*admit 2*429");
});

test("a wrong decision is one disagreement, and later ones are compared with the recorded past", () => {
  const rows = [...rowsOf("4*200", 0, 0.1), { at: 1.05, status: 200 }];
  expect(answers(evaluate(under("sliding_log", 3, 1), { rows }))).toBe("3*admit 2*429");
  const counted = [...rowsOf("4*200", 0, 0.1), { at: 1, status: 200 }];
  expect(answers(evaluate(under("fixed_window", 3, 1), { rows: counted }))).toBe(
    "3*admit 429 admit",
  );
});

test("a fixed window begins with the first request, counts what it admits, and starts afresh (ALG-8, ALG-10)", () => {
  const rows = [...rowsOf("2*200 6*429", 0.5, 0.125), ...rowsOf("2*200 429", 1.5, 0.1)];
  const results = evaluate(under("fixed_window", 2, 1), { rows });
  expect(answers(results)).toBe("2*admit 6*429 2*admit 429");
  expect([retryAfter(results, 2), retryAfter(results, 10)]).toEqual(["1", "1"]);
});

test("windows by the clock begin at multiples of their length since the Unix epoch (ALG-C3)", () => {
  const rows = [
    { at: 0.4 },
    { at: 0.6 },
    { at: 0.7, status: 429, by: "key" },
    { at: 1.5 },
  ] as const;
  const world = under("fixed_window", 1, 1, { fixedWindowStart: "clock" });
  expect(answers(evaluate(world, { rows, epoch: 1000.5 }))).toBe("2*admit 429 admit");
});

test("a gateway's share is at least one, and each gateway has its own window (ALG-C4)", () => {
  const on = (gateway: number, at: number, status = 200): Row => ({
    at,
    gateway,
    fleet: 3,
    status,
    ...(status === 429 ? { by: "key" } : {}),
  });
  const rows = [on(0, 0), on(1, 0.1), on(0, 0.2), on(0, 0.3, 429), on(1, 0.4), on(0, 1), on(2, 1)];
  expect(answers(evaluate(under("drl", 7, 1), { rows }))).toBe("3*admit 429 3*admit");
  expect(answers(evaluate(under("drl", 2, 1), { rows: [on(0, 0), on(0, 0.5, 429)] }))).toBe(
    "admit 429",
  );
  expect(answers(evaluate(under("drl", 0, 1), { rows: [on(0, 0, 429)] }))).toBe("429");
});

test("a change of n acts on the next request (ALG-C4)", () => {
  const rows = [
    { at: 0, fleet: 2 },
    { at: 0.1, fleet: 2 },
    { at: 0.2, fleet: 2, status: 429, by: "key" },
    { at: 0.3, fleet: 1 },
  ] as const;
  expect(answers(evaluate(under("drl", 4, 1), { rows }))).toBe("2*admit 429 admit");
});

test("with threshold 2 and 5 gateways DRL is chosen above 10 requests per second, and not at 10 (ALG-1)", () => {
  const flags = { algorithm: null, drlThreshold: 2 };
  const rows = rowsOf("4*200", 0, 0.01, { fleet: 5 });
  expect(answers(evaluate({ keys: alice(10, 1), options: flags }, { rows }))).toBe("4*admit");
  expect(answers(evaluate({ keys: alice(11, 1), options: flags }, { rows }))).toBe("2*admit 2*429");
});

test("fixed window goes before sentinel, sentinel before DRL, DRL before the log (ALG-C1)", () => {
  // Only the log has the refusal at 0.9; only DRL depends on the fleet; only the fixed mark admits 1.1.
  const rows = [
    { at: 0, fleet: 2 },
    { at: 0.9, fleet: 2, status: 429, by: "key" },
    { at: 1.1, fleet: 2 },
  ] as const;
  const chosen = (flags: Partial<GatewayOptions>, rate = 1): string =>
    answers(evaluate({ keys: alice(rate, 1), options: { algorithm: null, ...flags } }, { rows }));
  const sentinel = { enableSentinelRateLimiter: true, sentinelMark: "fixed" as const };
  expect(chosen({})).toBe("admit 2*429");
  expect(chosen({ enableNonTransactionalRateLimiter: true })).toBe("admit 2*429");
  expect(chosen({ drlThreshold: 0.4 })).toBe("admit 429 admit");
  expect(chosen({ drlThreshold: 0.4 }, 2)).toBe("admit 429 admit");
  expect(chosen({ drlThreshold: 0.4, ...sentinel }, 2)).toBe("2*admit 429");
  expect(chosen({ enableFixedWindowRateLimiter: true, drlThreshold: 0.4, ...sentinel }, 2)).toBe(
    "3*admit",
  );
  expect(
    chosen({ algorithm: "sliding_log", enableFixedWindowRateLimiter: true, drlThreshold: 0.4 }),
  ).toBe("admit 2*429");
});

test("a sentinel decides as the log where nothing overlaps (ALG-C5)", () => {
  const rows = [...rowsOf("3*200 5*429", 0, 0.25), { at: 3, status: 200 }];
  expect(answers(evaluate(under("sentinel", 3, 1), { rows }))).toBe("3*admit 5*429 admit");
});

test("upstream's mark lives for `per` and lets one request pass when it ends (ALG-C5)", () => {
  const rows = [
    ...rowsOf("2*200", 0, 0.1),
    ...rowsOf("4*429", 0.3, 0.2),
    { at: 1.1 },
    { at: 1.2, status: 429, by: "key" as const },
  ];
  expect(answers(evaluate(under("sentinel", 2, 1, { sentinelMark: "fixed" }), { rows }))).toBe(
    "2*admit 4*429 admit 429",
  );
  expect(answers(evaluate(under("sentinel", 2, 1), { rows }))).toBe("2*admit 6*429");
});

test("a mark of upstream's goes back to the one before it, however long ago that was (ALG-C5)", () => {
  const rows = [
    { at: 0 },
    { at: 0.9, status: 429, by: "key" },
    { at: 1.5 },
    { at: 2, status: 429, by: "key" },
  ] as const;
  expect(answers(evaluate(under("sentinel", 1, 1, { sentinelMark: "fixed" }), { rows }))).toBe(
    "admit 429 admit 429",
  );
});

test("a mark of upstream's needs a full window, and its reason names the mark (ALG-C5)", () => {
  const fixed = under("sentinel", 2, 1, { sentinelMark: "fixed" });
  expect(answers(evaluate(fixed, { rows: [{ at: 0 }, { at: 1 }, { at: 1.1 }] }))).toBe("3*admit");
  const results = evaluate(fixed, {
    rows: [{ at: 0 }, { at: 0.999999 }, { at: 1.1, status: 429, by: "key" }],
  });
  expect([results.rows[2]?.why, retryAfter(results, 2)]).toEqual([
    "key: the mark is still in effect (LIM-1)",
    "1",
  ]);
});

test("one request in two windows is one, and a limit of one admits it (ALG-C9)", () => {
  expect(answers(evaluate(under("sliding_window_counter", 1, 1), { rows: [{ at: 0 }] }))).toBe(
    "admit",
  );
});

test("a token bucket holds `rate`, and gcra with full burst decides alike (ALG-C9)", () => {
  const rows = [
    ...rowsOf("2*200 429", 0, 0),
    { at: 0.5 },
    { at: 0.999999, status: 429, by: "key" as const },
    { at: 1 },
  ];
  expect(answers(evaluate(under("token_bucket", 2, 1), { rows }))).toBe(
    "2*admit 429 admit 429 admit",
  );
  expect(answers(evaluate(under("gcra", 2, 1, { burst: "rate" }), { rows }))).toBe(
    "2*admit 429 admit 429 admit",
  );
});

test("gcra without burst spaces requests evenly (ALG-C9)", () => {
  const rows = [
    { at: 0 },
    { at: 0.499999, status: 429, by: "key" },
    { at: 0.5 },
    { at: 2 },
    { at: 2.1, status: 429, by: "key" },
  ] as const;
  expect(answers(evaluate(under("gcra", 2, 1), { rows }))).toBe("admit 429 2*admit 429");
});

test("the sliding window counter weighs the window before by what is still inside (ALG-C9)", () => {
  // Four in [0, 1): at 1.4 they weigh 4 * 0.6 = 2.4, so one more passes under 4, at 1.5 another.
  const rows = [
    ...rowsOf("4*200", 0, 0.1),
    { at: 1.2, status: 429, by: "key" as const },
    { at: 1.25 },
    { at: 1.4, status: 429, by: "key" as const },
    { at: 1.5 },
  ];
  const results = evaluate(under("sliding_window_counter", 4, 1), { rows });
  expect(answers(results)).toBe("4*admit 429 admit 429 admit");
  expect(retryAfter(results, 4)).toBe("1");
});

test("a bounded log decides as the full one while the limit is unchanged, and may admit more after a raise (ALG-C9)", () => {
  const rows = rowsOf("2*200 4*429", 0, 0.1);
  expect(answers(evaluate(under("bounded_log", 2, 1), { rows }))).toBe("2*admit 4*429");
  const withRaise = (algorithm: GatewayOptions["algorithm"]): VariantText => ({
    ...under(algorithm, 2, 1),
    faults: [
      {
        kind: "configure",
        atUs: secondsToMicros(0.65),
        configuration: configuration(under(algorithm, 4, 1)),
      },
    ],
  });
  const later = [...rows, { at: 0.7 }];
  expect(answers(evaluate(withRaise("bounded_log"), { rows: later }))).toBe("2*admit 4*429 admit");
  const last = [...later, { at: 0.75 }];
  expect(answers(evaluate(withRaise("bounded_log"), { rows: last }))).toBe(
    "2*admit 4*429 admit open",
  );
  expect(answers(evaluate(withRaise("sliding_log"), { rows: later }))).toBe("2*admit 5*429");
});
