// Requests that are under way together, and how far they may see each other.
import { expect, test } from "vitest";
import type { GatewayOptions } from "#src/limiter/core/config.ts";
import { limitOf } from "#src/limiter/core/limit.ts";
import { micros, secondsToMicros } from "#src/kit/units.ts";
import { BOUNDED, rowsOf, type Row } from "../../histories/history.ts";
import { api, key, type VariantText } from "../../histories/world.ts";
import { answers, evaluate } from "./evaluate.ts";

const us = secondsToMicros;
/** Eight operations of 4 ms each may be under way behind an answer. */
const slow = { environment: { storeUs: { kind: "constant", us: micros(2_000) } } } as const;
const world = (rate: number, options: Partial<GatewayOptions>, more: VariantText = {}) => ({
  keys: [key("alice", { limit: limitOf(rate, 10) })],
  options,
  ...more,
});

test.each([
  [0.042, "2*open"],
  [0.042001, "admit 429"],
])(
  "single commands, sent at %d s, where the first is written until 0.042 s: %s",
  (at, expected) => {
    const rows: Row[] = [
      { at: 0, answered: 0.01 },
      { at, answered: at + 0.01 },
    ];
    const commands = world(1, { algorithm: "non_transactional" }, slow);
    expect(answers(evaluate(commands, { rows }))).toBe(expected);
  },
);

test("one step is before the other, whatever else is not known", () => {
  const rows = [0, 0.001, 0.002].map((at): Row => ({
    at,
    span: [at + 0.002, at + 0.002],
    stamp: at,
    answered: at + 0.01,
  }));
  const faults = [{ kind: "store_restart", atUs: us(9) }] as const;
  expect(answers(evaluate(world(2, {}, { ...slow, faults }), { rows }))).toBe("2*admit 429");
});

test.each([
  ["a budget that was spent and refunded may be seen in between (LIM-C1)", 10, limitOf(9, 1), 5],
  ["what a gateway took by itself and gave back may have been seen", 0.5, limitOf(1, 1), 1.5],
])("%s", (_, per, limit, drlThreshold) => {
  const shared: VariantText = {
    apis: [api("orders", { globalRateLimit: limitOf(1, per) })],
    keys: [key("alice", { limit }), key("bob")],
    options: { algorithm: null, drlThreshold },
    flows: [{ name: "only" }, { name: "bob", as: "bob" }],
    ...slow,
  };
  const of = (at: number): string => {
    const bobs = { span: [at + 0.002, at + 0.002], stamp: at, flow: "bob", key: "bob" } as const;
    const rows: Row[] = [
      { at: 0, span: [0.002, 0.002], stamp: 0, answered: 0.01, status: 429, by: "key" },
      { at, answered: at + 0.01, ...bobs },
    ];
    return answers(evaluate(shared, { rows, flows: shared.flows! }));
  };
  expect([of(0.001), of(0.1)]).toEqual(["2*open", "2*admit"]);
});

test("spans that touch may have been in either order", () => {
  const touching = (from: number): string =>
    answers(
      evaluate(world(1, {}), {
        rows: [
          { at: 0, span: [0, 0.5] },
          { at: from, span: [from, 0.9] },
        ],
        timing: BOUNDED,
      }),
    );
  expect([touching(0.5), touching(0.500001)]).toEqual(["2*open", "admit 429"]);
});

test("what a gateway counted after it restarted is still there", () => {
  const faults = [{ kind: "gateway_restart", atUs: us(1), node: 0 }] as const;
  const rows = rowsOf("2*200 429", 1.1, 0.1);
  expect(answers(evaluate(world(2, { algorithm: "drl" }, { faults }), { rows }))).toBe(
    "2*admit 429",
  );
});

const MARK = "key: a write is still on its way (LIM-1)";
test("one write that is on its way is enough", () => {
  const rows: Row[] = [
    { at: 0, span: [0, 0.01] },
    { at: 0.1, span: [0.1, 0.3] },
    { at: 0.2, span: [0.2, 0.4] },
  ];
  const fixed = world(9, { algorithm: "sentinel", sentinelMark: "fixed" });
  expect(evaluate(fixed, { rows, timing: BOUNDED }).rows[2]?.why).toBe(MARK);
});

test("a mark that was perhaps left under another rate does not count, and the log decides (ALG-C5, LIM-C8)", () => {
  const metaData = { rate_limit_pattern: "$gw_meta.team", team: "red" };
  const flows = [{ name: "alice" }, { name: "bob", as: "bob" }];
  const shared: VariantText = {
    keys: [
      key("alice", { limit: limitOf(1, 10), metaData }),
      key("bob", { limit: limitOf(5, 10), metaData }),
    ],
    options: { algorithm: "sentinel" },
    flows,
  };
  const row = (flow: string, from: number, to: number): Row => ({
    at: from,
    span: [from, to],
    flow,
    key: flow,
  });
  const rows = [
    row("alice", 0, 0.01),
    row("alice", 0.3, 0.5),
    row("bob", 0.4, 0.6),
    row("bob", 0.45, 0.7),
  ];
  const results = evaluate(shared, { rows, flows, timing: BOUNDED });
  expect(results.rows[1]).toMatchObject({ admit: false, refuse: true });
  expect(results.rows[3]).toMatchObject({ admit: true, refuse: false });
});

/** Two that the store decides in one order or the other, by clocks on both sides of the edge at 1 s. */
const onTime: Row = { at: 1, span: [1.002, 1.002], stamp: 1, answered: 1.01 };
const late: Row = { at: 1, span: [1.002, 1.002], stamp: 0.999, gateway: 1, answered: 1.01 };
const later = (at: number): Row => ({ at, span: [at, at], stamp: at, answered: at + 0.01 });

test.each<[string, GatewayOptions["algorithm"], Row[], string]>([
  ["behind, ahead", "fixed_window", [late, onTime, later(1.2), later(1.3)], "3*admit open"],
  ["ahead, behind", "fixed_window", [onTime, late, later(1.2), later(1.3)], "3*admit open"],
  [
    "behind twice, ahead",
    "sliding_window_counter",
    [late, late, onTime, later(1.99)],
    "2*open admit open",
  ],
])(
  "a clock that is behind counts in the window that runs, if another began it first: %s, %s (ALG-C3)",
  (_, algorithm, rows, expected) => {
    const levelByLevel: VariantText = {
      keys: [key("alice", { limit: limitOf(3, 1), quota: { max: 9, renewalUs: us(10) } })],
      options: { algorithm, fixedWindowStart: "clock", limitOrder: "key_first" },
      ...slow,
    };
    expect(answers(evaluate(levelByLevel, { rows }))).toBe(expected);
  },
);
