// The allowance, worked by hand: threshold 2, step 2, trigger 0.5, delay 2 s under 6 per 1 s. A rises when r
// is above A - 1, and falls when r is below A - 3.
import { expect, test } from "vitest";
import { limitOf, type Smoothing } from "#src/limiter/core/limit.ts";
import { secondsToMicros } from "#src/kit/units.ts";
import { settle, step, type SmoothingBounds } from "#src/lab/oracle/smoothing.ts";
import { BOUNDED, rowsOf, type Row } from "../../histories/history.ts";
import { api, configuration, key, type VariantText } from "../../histories/world.ts";
import { answers, evaluate, retryAfter } from "./evaluate.ts";

const SMOOTHING: Smoothing = { threshold: 2, step: 2, trigger: 0.5, delayUs: secondsToMicros(2) };
const worldOf = (
  rate: number,
  smoothing: Smoothing | null = SMOOTHING,
  options: VariantText["options"] = {},
): VariantText => ({
  keys: [key("alice", { limit: limitOf(rate, 1, smoothing) })],
  options,
});
const eventsOf = (world: VariantText, rows: readonly Row[]): string[] =>
  evaluate(world, { rows }).events.map(
    ({ event, stampUs, value }) =>
      `${event.slice("RateLimitSmoothing".length)} to ${value} at ${stampUs / 1e6}`,
  );

test("A starts at the threshold, and the hold-off runs from there (SMO-1, SMO-C1)", () => {
  const rows = rowsOf("2*200 3*429", 0, 0.1);
  const results = evaluate(worldOf(6), { rows });
  expect(answers(results)).toBe("2*admit 3*429");
  expect([...results.allowance]).toEqual([2, 2, 2, 2, 2]);
  expect(results.events).toEqual([]);
});

test("a request may lift A and pass by it (SMO-3, SMO-C2)", () => {
  // At 2.0 the hold-off of the creation at 0 has ended, inclusively; r = 2 is above 2 - 1.
  const rows = [
    { at: 0 },
    { at: 1.5 },
    { at: 2 },
    { at: 2.1 },
    { at: 2.2 },
    { at: 2.3, status: 429, by: "key" },
  ] as const;
  const results = evaluate(worldOf(6), { rows });
  expect(answers(results)).toBe("5*admit 429");
  expect([...results.allowance]).toEqual([2, 2, 4, 4, 4, 4]);
  expect(eventsOf(worldOf(6), rows)).toEqual(["Up to 4 at 2"]);
});

test("a blocked client still lifts A once per hold-off, and the last step is cut (SMO-5, SMO-C2, SMO-C3)", () => {
  const rows = [...rowsOf("2*200 58*429", 0, 0.1)];
  expect(eventsOf(worldOf(5), rows)).toEqual(["Up to 4 at 2", "Up to 5 at 4"]);
});

test("falls that were due without a request are made up for with their own times (SMO-C6)", () => {
  const rows = [...rowsOf("2*200 46*429", 0, 0.1), { at: 12 }];
  // Up at 2 and at 4; the last attempt is at 4.7, so the hold-offs that end at 6 and 8 find an empty window.
  expect(eventsOf(worldOf(6), rows)).toEqual([
    "Up to 4 at 2",
    "Up to 6 at 4",
    "Down to 4 at 6",
    "Down to 2 at 8",
  ]);
});

test("r just above the margin holds A (SMO-4)", () => {
  // A is 4 from 2 s on. One attempt in the window: 1 is not below 4 - 3. None but this one at 4.5.
  const rows = [{ at: 0 }, { at: 1.5 }, { at: 2 }, { at: 4.5 }] as const;
  expect(eventsOf(worldOf(6), rows)).toEqual(["Up to 4 at 2", "Down to 2 at 4"]);
  const steady = [{ at: 0 }, { at: 1.5 }, { at: 2 }, { at: 3.9 }, { at: 4.5 }] as const;
  expect(eventsOf(worldOf(6), steady)).toEqual(["Up to 4 at 2"]);
});

test("idle at the threshold for long enough, the record counts as absent (SMO-C6)", () => {
  const busy = (at: number): Row[] => rowsOf("2*200", at, 0.1);
  // 3.9 s after the last attempt the record still exists and its hold-off is over; after 4 s it is new.
  expect(eventsOf(worldOf(6), [...busy(0), ...busy(4)])).toEqual(["Up to 4 at 4.1"]);
  expect(eventsOf(worldOf(6), [...busy(0), ...busy(4.1)])).toEqual([]);
});

test("an allowance outside new bounds is cut at the next request: one change, a new hold-off (MGT-C5)", () => {
  const lowered: VariantText = {
    ...worldOf(6),
    faults: [
      { kind: "configure", atUs: secondsToMicros(4.5), configuration: configuration(worldOf(3)) },
    ],
  };
  const rows = [
    ...rowsOf("2*200 46*429", 0, 0.1),
    { at: 5, status: 429, by: "key" as const },
    { at: 6.5, status: 429, by: "key" as const },
  ];
  expect(eventsOf(lowered, rows)).toEqual(["Up to 4 at 2", "Up to 6 at 4", "Down to 3 at 4.5"]);
});

test("an allowance below a threshold that has moved is raised to it (MGT-C5)", () => {
  const raised: VariantText = {
    ...worldOf(6),
    faults: [
      {
        kind: "configure",
        atUs: secondsToMicros(1),
        configuration: configuration(worldOf(6, { ...SMOOTHING, threshold: 5 })),
      },
    ],
  };
  expect(eventsOf(raised, [{ at: 0.5 }, { at: 1.5 }])).toEqual(["Up to 5 at 1.5"]);
});

test("a request that another level refuses does not move A", () => {
  const keys = [
    key("alice", {
      limit: limitOf(6, 1, SMOOTHING),
      quota: { max: 2, renewalUs: secondsToMicros(60) },
    }),
  ];
  const rows: Row[] = [
    { at: 0 },
    { at: 1.5 },
    ...rowsOf("5*403", 2, 0.1, { by: "quota", reason: "quota" }),
  ];
  const results = evaluate({ keys }, { rows });
  expect(answers(results)).toBe("2*admit 5*403");
  expect([results.events, results.allowance[6]]).toEqual([[], 2]);
});

// The plain log would have lifted A at 2 s and let that request pass by it.
test("with the sentinel A moves in the background and applies from the next request on (SMO-C2)", () => {
  const rows = [
    { at: 0 },
    { at: 1.5 },
    { at: 1.6 },
    { at: 2, status: 429, by: "key" },
    { at: 2.1 },
  ] as const;
  const results = evaluate(worldOf(6, SMOOTHING, { algorithm: "sentinel" }), { rows });
  expect(answers(results)).toBe("3*admit 429 admit");
});

test("other algorithms ignore smoothing (SMO-C5)", () => {
  const results = evaluate(worldOf(6, SMOOTHING, { algorithm: "fixed_window" }), {
    rows: rowsOf("6*200 429", 0, 0.1),
  });
  expect(answers(results)).toBe("6*admit 429");
  expect([...results.allowance].every(Number.isNaN)).toBe(true);
});

test("Retry-After is what is left of the window, or of the hold-off and the window one step up (HDR-C1)", () => {
  const long: VariantText = { keys: [key("alice", { limit: limitOf(6, 10, SMOOTHING) })] };
  // Refused at 1 s with A 2: the window under A empties at 10.5 s; the hold-off ends at 2 s, and under A 4
  // the three attempts and the retry fit.
  expect(
    retryAfter(
      evaluate(long, { rows: [{ at: 0 }, { at: 0.5 }, { at: 1, status: 429, by: "key" }] }),
      2,
    ),
  ).toBe("1");
  const full = [...rowsOf("2*200 3*429", 0, 0.1)];
  // The fifth attempt at 0.4 s: under A 4 the newest four must lose one, which happens at 10.1 s.
  expect(retryAfter(evaluate(long, { rows: full }), 4)).toBe("10");
});

test("comparisons are exact on decimal texts", () => {
  const bounds: SmoothingBounds = {
    threshold: 0.1,
    step: 0.1,
    trigger: 1,
    delayUs: secondsToMicros(1),
    rate: 2,
    perUs: 1_000_000,
  };
  const record = { value: 1.1, holdUntilUs: 500_000, rule: bounds };
  const settled = settle(record, bounds, { stamps: [500_000], lastUs: 500_000 }, 600_000);
  // r = 1 is not above 1.1 - 0.1, and not below 1.1 - 0.2.
  expect(step(settled, bounds, 1, 600_000).changes).toEqual([]);
  expect(step(settled, bounds, 2, 600_000).allowance.value).toBe(1.2);
});

test("falls are reported at any later request, if A was known", () => {
  const rows = [...rowsOf("2*200 46*429", 0, 0.1), { at: 60 }];
  expect(eventsOf(worldOf(6), rows).slice(2)).toEqual(["Down to 4 at 6", "Down to 2 at 8"]);
});

test("a store that comes back empty has forgotten A", () => {
  const faults = [{ kind: "store_restart", atUs: secondsToMicros(3) }] as const;
  const rows = [{ at: 0 }, { at: 1.5 }, { at: 2 }, { at: 3 }];
  const { allowance, openKeys } = evaluate({ ...worldOf(6), faults }, { rows });
  expect([[...allowance], [...openKeys]]).toEqual([[2, 2, 4, 2], []]);
});

test("an attempt that a clock ahead has pushed out leaves open whether A rises", () => {
  const smoothing = { ...SMOOTHING, threshold: 3 };
  const allowances = (ahead: number): number[] => [
    ...evaluate(worldOf(6, smoothing), {
      rows: [
        { at: 0 },
        { at: 1.5 },
        { at: 1.9, stamp: 1.9 + ahead, gateway: 1 },
        { at: 2, stamp: 2 },
      ],
    }).allowance,
  ];
  expect(allowances(0)).toEqual([3, 3, 3, 5]);
  expect(allowances(0.7)).toEqual([3, 3, 3, Number.NaN]);
});

const OPEN = "key: 0 to 1 attempts in the window, and the allowance is between 2 and 6 (LIM-1)";
test.each<[string, VariantText["options"], boolean, string]>([
  ["a log", {}, true, OPEN],
  ["a log", {}, false, "key: 1 attempts in the window, 2 allowed (A is 2) (LIM-1)"],
  ["a log", { sentinelMark: "fixed" }, true, OPEN],
  [
    "a log",
    { sentinelMark: "fixed" },
    false,
    "key: 1 attempts in the window, 2 allowed (A is 2) (LIM-1)",
  ],
  ["a sentinel", { algorithm: "sentinel" }, true, OPEN],
  [
    "a sentinel",
    { algorithm: "sentinel" },
    false,
    "key: by the mark of the last attempt: 1 attempts in the window, 2 allowed (LIM-1)",
  ],
  [
    "a sentinel",
    { algorithm: "sentinel", sentinelMark: "fixed" },
    true,
    "key: neither the allowance nor the mark is known (LIM-1)",
  ],
  [
    "a sentinel",
    { algorithm: "sentinel", sentinelMark: "fixed" },
    false,
    "key: no mark is in effect (LIM-1)",
  ],
])("%s %j, where times are spans: %s: %s", (_, options, areSpans, expected) => {
  const rows: Row[] = [
    { at: 0, span: [0, areSpans ? 0.1 : 0] },
    { at: 0.1, span: [0.1, 0.1] },
  ];
  const results = evaluate(worldOf(6, SMOOTHING, options), { rows, timing: BOUNDED });
  expect(results.rows[1]?.why).toBe(expected);
});

test("who only looked has left no mark", () => {
  const world: VariantText = {
    ...worldOf(6, null, { algorithm: "sentinel" }),
    apis: [api("orders", { globalRateLimit: limitOf(1, 0.5) })],
  };
  const rows: Row[] = [
    { at: 0, span: [0, 0.1], status: 429, by: "api" },
    { at: 0.9, span: [0.9, 0.9] },
  ];
  expect(evaluate(world, { rows, timing: BOUNDED }).rows[1]?.why).toContain(
    "key: no attempt has left a mark",
  );
});

test("an attempt that may have been written leaves A open, whatever it would do", () => {
  const environment = { storeUs: { kind: "constant", us: secondsToMicros(0.002) } } as const;
  const commands = worldOf(6, SMOOTHING, { algorithm: "non_transactional" });
  const rows: Row[] = [
    { at: 0, answered: 0.01 },
    { at: 0.5, answered: 0.51 },
    { at: 0.501, answered: 0.511 },
  ];
  const open = (world: VariantText): boolean => evaluate(world, { rows }).openKeys.has("alice");
  expect([open({ ...commands, environment }), open(commands)]).toEqual([true, false]);
});
