// Where only spans are known: two answers are allowed exactly where the order or the window is open.
import * as fc from "fast-check";
import { expect, test } from "vitest";
import type { GatewayOptions } from "#src/limiter/core/config.ts";
import { limitOf } from "#src/limiter/core/limit.ts";
import { isDecided } from "#src/lab/oracle/expected.ts";
import { BOUNDED, rowsOf, type Row } from "../../histories/history.ts";
import { key, type VariantText } from "../../histories/world.ts";
import { answers, evaluate, retryAfter } from "./evaluate.ts";
import { holds, shareInRuns } from "../../runs.ts";

const world = (algorithm: GatewayOptions["algorithm"], rate: number): VariantText => ({
  keys: [key("alice", { limit: limitOf(rate, 1) })],
  options: { algorithm },
});
const within = (from: number, to: number, status = 200): Row => ({
  at: from,
  span: [from, to],
  status,
  ...(status === 429 ? { by: "key" as const } : {}),
});

test("two that overlap may have come in either order", () => {
  const rows = [within(0, 0.02), within(0.01, 0.03, 429), within(0.5, 0.51, 429)];
  expect(answers(evaluate(world("sliding_log", 1), { rows, timing: BOUNDED }))).toBe("2*open 429");
});

test("an attempt near the window's edge may or may not have left it", () => {
  const rows = [within(0, 0.02), within(1.01, 1.03)];
  expect(answers(evaluate(world("sliding_log", 1), { rows, timing: BOUNDED }))).toBe("admit open");
  expect(
    answers(
      evaluate(world("sliding_log", 1), {
        rows: [within(0, 0.02), within(1.03, 1.04)],
        timing: BOUNDED,
      }),
    ),
  ).toBe("2*admit");
  expect(
    answers(
      evaluate(world("sliding_log", 1), {
        rows: [within(0, 0.02), within(0.9, 0.99, 429)],
        timing: BOUNDED,
      }),
    ),
  ).toBe("admit 429");
});

test("which request began a fixed window may be open, and every possibility is followed", () => {
  const rows = [within(0, 0.02), within(1, 1.05), within(1.1, 1.12, 429), within(2.06, 2.08)];
  expect(answers(evaluate(world("fixed_window", 1), { rows, timing: BOUNDED }))).toBe(
    "admit 2*open admit",
  );
});

test("who came from 1 s to 1.12 s may have begun the window of who came at 1.01 s", () => {
  const rows = [
    within(0, 0),
    within(1.01, 1.01),
    within(1, 1.12),
    within(2, 2),
    within(2, 2),
    within(2, 2, 429),
  ];
  expect(answers(evaluate(world("fixed_window", 2), { rows, timing: BOUNDED }))).toBe(
    "3*admit 3*open",
  );
});

test("a token bucket is open only within what the spans leave open", () => {
  const rows = [within(0, 0.01), within(0.5, 0.51, 429), within(0.99, 1.005), within(2.2, 2.21)];
  expect(answers(evaluate(world("token_bucket", 1), { rows, timing: BOUNDED }))).toBe(
    "admit 429 open admit",
  );
});

const why = (algorithm: GatewayOptions["algorithm"], rate: number, rows: readonly Row[]): string =>
  evaluate(world(algorithm, rate), { rows, timing: BOUNDED }).rows.at(-1)?.why ?? "";

test.each([
  [0.93, "0 to 2 in the window before, 0 to 2 in this one"],
  [0.95, "0 to 2 in the window before, 0 to 2 in this one"],
  [0.96, "1 to 2 in the window before, 0 to 1 in this one"],
])(
  "who came from %d s to 1.3 s may have begun the window for who came before: %s",
  (from, allowed) => {
    const rows = [within(0.9, 0.95), within(from, 1.3), within(1.5, 1.5)];
    expect(why("sliding_window_counter", 2, rows)).toBe(`key: ${allowed}, rate 2 (LIM-1)`);
  },
);

test("a request may be in either of two windows", () => {
  expect(why("sliding_window_counter", 2, [within(0.9, 1)])).toContain("in either of two windows");
  expect(why("sliding_window_counter", 2, [within(0.9, 0.99)])).toContain("rate 2");
});

test("what perhaps came before, and perhaps in the window before, is counted both ways", () => {
  const rows = [within(0, 0.02), within(1.01, 1.03), within(1.015, 1.04)];
  expect(why("fixed_window", 2, rows)).toBe("key: 1 to 2 counted in the window, 2 allowed (LIM-1)");
});

test.each(["sentinel", "sliding_window_counter", "fixed_window", "sliding_log"] as const)(
  "%s: a limit below one admits nothing",
  (algorithm) => {
    expect(why(algorithm, 0.5, [within(0, 0, 429)])).toBe("key: the limit admits nothing (LIM-1)");
  },
);

test("Retry-After is a range where the instant is one", () => {
  const rows = [within(0, 0.02), within(0.985, 1.015, 429)];
  const results = evaluate(world("fixed_window", 1), {
    rows: [within(0.1, 0.15), within(0.2, 0.25, 429)],
    timing: BOUNDED,
  });
  expect(retryAfter(results, 1)).toBe("1");
  expect(evaluate(world("sliding_log", 1), { rows, timing: BOUNDED }).rows[1]?.refuse).toBe(true);
});

test("smoothing is followed on exact times only", () => {
  const smoothing = { threshold: 2, step: 2, trigger: 0.5, delayUs: limitOf(1, 2).perUs };
  const keys = [key("alice", { limit: limitOf(6, 1, smoothing) })];
  const rows = [0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6].map((at) => within(at, at + 0.01));
  const results = evaluate({ keys }, { rows, timing: BOUNDED });
  expect(answers(results)).toBe("2*admit 4*open 429");
  expect([...results.openKeys]).toEqual(["alice"]);
});

type Definition = (stamps: readonly number[], rate: number, perMs: number) => boolean[];

/** The definition, for instants: all attempts younger than `per`, and one more than allowed is refused. */
const naive: Definition = (stamps, rate, perMs) =>
  stamps.map(
    (now, index) => stamps.slice(0, index).filter((stamp) => stamp > now - perMs).length < rate,
  );

/** Windows that begin at the result of `startOf`, from the beginning of the one before and the present time. */
const windows =
  (startOf: (startMs: number, nowMs: number, perMs: number) => number): Definition =>
  (stamps, rate, perMs) => {
    let [startMs, count] = [Number.NEGATIVE_INFINITY, 0];
    return stamps.map((now) => {
      const next = startOf(startMs, now, perMs);
      if (next !== startMs) [startMs, count] = [next, 0];
      return count++ < rate;
    });
  };

/** The debt, in parts of a request of which `perMs` make one. */
const debt: Definition = (stamps, rate, perMs) => {
  let [owed, lastMs] = [0, 0];
  return stamps.map((now) => {
    owed = Math.max(0, owed - (now - lastMs) * rate);
    lastMs = now;
    const passes = owed + perMs <= rate * perMs;
    if (passes) owed += perMs;
    return passes;
  });
};

const twoWindows: Definition = (stamps, rate, perMs) => {
  const counts = new Map<number, number>();
  return stamps.map((now) => {
    const startMs = now - (now % perMs);
    const [before = 0, here = 0] = [counts.get(startMs - perMs), counts.get(startMs)];
    const passes = before * (startMs + perMs - now) + (here + 1) * perMs <= rate * perMs;
    if (passes) counts.set(startMs, here + 1);
    return passes;
  });
};

const DEFINITIONS: readonly (readonly [
  name: string,
  options: Partial<GatewayOptions>,
  definition: Definition,
])[] = [
  ["the log", { algorithm: "sliding_log" }, naive],
  [
    "a window that its first request begins",
    { algorithm: "fixed_window" },
    windows((startMs, now, perMs) => (now >= startMs + perMs ? now : startMs)),
  ],
  [
    "a window of the clock",
    { algorithm: "fixed_window", fixedWindowStart: "clock" },
    windows((_, now, perMs) => now - (now % perMs)),
  ],
  ["a token bucket", { algorithm: "token_bucket" }, debt],
  ["two windows", { algorithm: "sliding_window_counter" }, twoWindows],
];

const times = fc
  .array(fc.nat(400), { minLength: 1, maxLength: 40, size: "max" })
  .map((drawn) => drawn.toSorted((a, b) => a - b));

test.each(DEFINITIONS)(
  "on exact times the oracle is the definition of %s",
  (_, options, definition) => {
    holds(
      fc.property(times, fc.integer({ min: 1, max: 5 }), (stamps, rate) => {
        const perMs = 50;
        const admits = definition(stamps, rate, perMs);
        const rows = stamps.map((ms, index): Row => ({
          at: ms / 1000,
          status: admits[index]! ? 200 : 429,
          by: "key",
        }));
        const { rows: expected } = evaluate(
          { keys: [key("alice", { limit: limitOf(rate, perMs / 1000) })], options },
          { rows },
        );
        expect(expected.map(({ admit, refuse }) => admit && !refuse)).toEqual(admits);
      }),
      200,
    );
  },
);

test.each(DEFINITIONS)(
  "whatever instants lie in the spans, it never forbids what %s decides",
  (_, options, definition) => {
    const uncertain = fc.array(fc.tuple(fc.nat(20), fc.nat(20)), { minLength: 40, maxLength: 40 });
    let decided = 0;
    let all = 0;
    holds(
      fc.property(times, uncertain, fc.integer({ min: 1, max: 5 }), (stamps, around, rate) => {
        const perMs = 100;
        const admits = definition(stamps, rate, perMs);
        const rows = stamps.map((ms, index): Row =>
          within(
            (ms - around[index]![0]) / 1000,
            (ms + around[index]![1]) / 1000,
            admits[index]! ? 200 : 429,
          ),
        );
        const inOrder = rows
          .map((row, index) => ({ row, isAdmitted: admits[index]! }))
          .toSorted((a, b) => a.row.span![1] - b.row.span![1]);
        const results = evaluate(
          { keys: [key("alice", { limit: limitOf(rate, perMs / 1000) })], options },
          { rows: inOrder.map(({ row }) => row), timing: BOUNDED },
        );
        for (const [index, expected] of results.rows.entries()) {
          expect(inOrder[index]!.isAdmitted ? expected.admit : expected.refuse).toBe(true);
          decided += Number(isDecided(expected));
          all++;
        }
      }),
      200,
    );
    expect(decided).toBeGreaterThan(all * shareInRuns(1 / 4));
  },
);

test("a burst of overlapping requests leaves open which of them were admitted, not how the next is decided", () => {
  const burst = rowsOf("3*200 2*429", 0, 0.001).map((row) => ({
    ...row,
    span: [0, 0.04] as const,
  }));
  expect(
    answers(
      evaluate(world("sliding_log", 3), {
        rows: [...burst, within(0.5, 0.51, 429)],
        timing: BOUNDED,
      }),
    ),
  ).toBe("5*open 429");
});
