// The decisions that an injected fault leaves open.
import { expect, test } from "vitest";
import type { GatewayOptions } from "#src/limiter/core/config.ts";
import { limitOf } from "#src/limiter/core/limit.ts";
import { micros, secondsToMicros } from "#src/kit/units.ts";
import type { HistorySpan } from "#src/lab/scenario/history.ts";
import { BOUNDED, rowsOf, type Row } from "../../histories/history.ts";
import { api, configuration, key, type VariantText } from "../../histories/world.ts";
import { answers, evaluate, inWords, retryAfter } from "./evaluate.ts";

const us = secondsToMicros;
const world = (options: Partial<GatewayOptions>, more: VariantText = {}): VariantText => ({
  keys: [key("alice", { limit: limitOf(2, 10) })],
  options,
  ...more,
});

test("a store that restarts comes back empty", () => {
  const restarted = world({}, { faults: [{ kind: "store_restart", atUs: us(1) }] });
  const rows = [...rowsOf("2*200 429", 0, 0.1), ...rowsOf("2*200 429", 1, 0.1)];
  expect(answers(evaluate(restarted, { rows }))).toBe("2*admit 429 2*admit 429");
});

test.each([
  ["sentinel", 0.001, "admit open"],
  ["sentinel", 0, "admit admit"],
  ["sliding_log", 0.001, "admit admit"],
] as const)(
  "a mark of %s that is written %d s after a response may survive a restart of the store",
  (algorithm, latency, expected) => {
    const environment = { storeUs: { kind: "constant", us: us(latency) } } as const;
    const restarted = world(
      { algorithm },
      {
        keys: [key("alice", { limit: limitOf(1, 10) })],
        faults: [{ kind: "store_restart", atUs: us(1) }],
        environment,
      },
    );
    const rows = [{ at: 0.9995 }, { at: 1.5 }];
    const words = evaluate(restarted, { rows }).rows.map(inWords);
    expect(words.join(" ")).toBe(expected);
  },
);

test("a gateway that restarts has perhaps lost its own counts, and no other gateway's", () => {
  const faults = [{ kind: "gateway_restart", atUs: us(1), node: 0 }] as const;
  const rows = [
    { at: 0, gateway: 0, fleet: 2 },
    { at: 0.1, gateway: 1, fleet: 2 },
    { at: 1.1, gateway: 0, fleet: 2 },
    { at: 1.2, gateway: 1, fleet: 2, status: 429, by: "key" },
  ] as const;
  expect(answers(evaluate(world({ algorithm: "drl" }, { faults }), { rows }))).toBe(
    "2*admit open 429",
  );
});

const down = (fromS: number, toS: number): HistorySpan => ({
  what: "store_down",
  gateway: null,
  fromUs: us(fromS),
  toUs: us(toS),
  text: "store is down",
});
const outage = [
  ...rowsOf("2*200", 0, 0.1),
  ...rowsOf("3*200", 2, 0.5),
  { at: 5, status: 200 },
  { at: 6, status: 429, by: "key" },
] as const;

test.each([
  ["allow", "5*admit open 429"],
  ["local", "2*admit 4*open 429"],
  ["deny", "2*admit 3*503 open 429"],
] as const)(
  "without the store on_store_error is %s, and the result of the first probe is open (ALG-C8)",
  (onStoreError, expected) => {
    expect(
      answers(evaluate(world({ onStoreError }), { rows: outage, spans: [down(1, 3.4)] })),
    ).toBe(expected);
  },
);

test("a refusal without a store has a Retry-After of one second (ALG-C8)", () => {
  const results = evaluate(world({ onStoreError: "deny" }), {
    rows: outage,
    spans: [down(1, 3.4)],
  });
  expect(retryAfter(results, 2)).toBe("1");
});

test("whether A was raised is open while it is open whether it was there", () => {
  const smoothing = { threshold: 1, step: 1, trigger: 0.1, delayUs: us(0.75) };
  const smoothed = world({}, { keys: [key("alice", { limit: limitOf(2, 0.25, smoothing) })] });
  const rows = [{ at: 1.25 }, { at: 2.25 }, { at: 2.25 }];
  expect(answers(evaluate(smoothed, { rows, spans: [down(0, 0.25)] }))).toBe("open admit open");
  expect(answers(evaluate(smoothed, { rows }))).toBe("3*admit");
  const after = (at: number): string =>
    answers(evaluate(smoothed, { rows: [...rows, { at }, { at }], spans: [down(0, 0.25)] }));
  expect(after(5.5)).toBe("open admit open admit open");
  expect(after(5.500001)).toBe("open admit open admit 429");
});

// Alice has spent her budget at another API: the API's limit spends her next request, and refunds it.
const answersWithRefund = (threshold: number, rows: readonly Row[]): string => {
  const smoothing = { threshold, step: 1, trigger: 0.1, delayUs: us(0.75) };
  const smoothed: VariantText = {
    apis: [api("orders", { globalRateLimit: limitOf(5, 0.25, smoothing) }), api("users")],
    keys: [key("alice", { limit: limitOf(1, 100) }), key("bob", { limit: limitOf(9, 1) })],
    options: { algorithm: "non_transactional" },
  };
  const flows = [
    { name: "elsewhere", send: "GET /users" },
    { name: "alice" },
    { name: "bob", as: "bob" },
  ];
  const first: Row = { at: 0, flow: "elsewhere", api: "users" };
  return answers(evaluate({ ...smoothed, flows }, { rows: [first, ...rows], flows }));
};
const alice = (at: number): Row => ({ at, flow: "alice", status: 429, by: "key" });
const bob = (at: number): Row => ({ at, flow: "bob", key: "bob" });

test("an attempt that was refunded may have created the record of A", () => {
  expect(answersWithRefund(1, [alice(1), bob(2), bob(2)])).toBe("admit 429 admit open");
  expect(answersWithRefund(1, [alice(1), bob(8), bob(8)])).toBe("admit 429 admit 429");
});

test("attempts that were refunded may have raised A, which falls no faster for it", () => {
  const climbing = [1, 1.8, 2.6, 3.4, 4.2].map(alice);
  expect(answersWithRefund(1, [...climbing, bob(6), bob(6)])).toBe("admit 5*429 admit open");
  expect(answersWithRefund(1, [...climbing, bob(9.7), bob(9.7)])).toBe("admit 5*429 admit open");
  expect(answersWithRefund(1, [...climbing, bob(9.8), bob(9.8)])).toBe("admit 5*429 admit 429");
});

test("an attempt that was refunded may have preserved the record of A", () => {
  const later = (at: number): string =>
    answersWithRefund(2, [bob(0.5), alice(1.5), bob(at), bob(at), bob(at)]);
  expect([later(2.5), later(2.999999), later(3)]).toEqual([
    "2*admit 429 2*admit open",
    "2*admit 429 2*admit open",
    "2*admit 429 2*admit 429",
  ]);
});

test("whether A was raised is open while the creation of its record is open", () => {
  const smoothing = { threshold: 1, step: 1, trigger: 0.1, delayUs: us(0.75) };
  const smoothed = world({}, { keys: [key("alice", { limit: limitOf(2, 0.25, smoothing) })] });
  const answersUntil = (toS: number): string => {
    const rows = [{ at: 1, span: [1, toS] as const }, { at: 1.8 }, { at: 1.8 }];
    return answers(evaluate(smoothed, { rows, timing: BOUNDED }));
  };
  expect(answersUntil(1.2)).toBe("2*admit open");
  expect(answersUntil(1)).toBe("3*admit");
});

test("counts in gateways do not need the store", () => {
  const rows = [...rowsOf("2*200 429", 2, 0.1)];
  expect(
    answers(
      evaluate(world({ algorithm: "drl", onStoreError: "deny" }), { rows, spans: [down(1, 9)] }),
    ),
  ).toBe("2*admit 429");
});

test("an entry that a clock ahead has pushed out may or may not still count for a clock behind", () => {
  const rows = [
    { at: 0, stamp: 0 },
    { at: 9.9, stamp: 10.1, gateway: 1 },
    { at: 9.95, stamp: 9.95, gateway: 0 },
  ];
  expect(answers(evaluate(world({}), { rows }))).toBe("2*admit open");
});

test("stamps later than now count as in the window (ALG-C2)", () => {
  const rows = [
    { at: 0, stamp: 0.5, gateway: 1 },
    { at: 0.1, stamp: 0.6, gateway: 1 },
    { at: 0.2, stamp: 0.2, gateway: 0, status: 429, by: "key" },
  ] as const;
  expect(answers(evaluate(world({}), { rows }))).toBe("2*admit 429");
});

const slower: Pick<VariantText, "environment"> = {
  environment: { storeUs: { kind: "constant", us: micros(2_000) } },
};

test("operations that are not one step leave requests in flight together open (ALG-C6)", () => {
  const together = [
    { at: 0, span: [0.002, 0.002], stamp: 0, answered: 0.01 },
    { at: 0.001, span: [0.003, 0.003], stamp: 0.001, answered: 0.011 },
    { at: 0.002, span: [0.004, 0.004], stamp: 0.002, answered: 0.012 },
    { at: 5, stamp: 5, answered: 5.01, status: 429, by: "key" },
  ] as const;
  expect(
    answers(evaluate(world({ algorithm: "non_transactional" }, slower), { rows: together })),
  ).toBe("3*open 429");
  expect(answers(evaluate(world({ algorithm: "sentinel" }, slower), { rows: together }))).toBe(
    "3*open 429",
  );
  expect(answers(evaluate(world({ algorithm: "sliding_log" }, slower), { rows: together }))).toBe(
    "2*admit 2*429",
  );
  expect(answers(evaluate(world({ algorithm: "non_transactional" }), { rows: together }))).toBe(
    "2*admit 2*429",
  );
});

test.each([
  [0.505, "not asserted"],
  [0.6, "1"],
])(
  "a store that restarts at %d s, before or after a refusal is sent: Retry-After %s",
  (at, expected) => {
    const faults = [{ kind: "store_restart", atUs: us(at) }] as const;
    const rows: Row[] = [
      { at: 0, answered: 0.01 },
      { at: 0.5, span: [0.502, 0.502], stamp: 0.5, answered: 0.51, status: 429, by: "key" },
    ];
    const keys = [key("alice", { limit: limitOf(1, 1) })];
    expect(retryAfter(evaluate(world({}, { ...slower, keys, faults }), { rows }), 1)).toBe(
      expected,
    );
  },
);

test("a request that was under way when the configuration changed is open", () => {
  const changed = configuration({ keys: [key("alice", { limit: limitOf(3, 10) })] });
  const faults = [{ kind: "configure", atUs: us(1), configuration: changed }] as const;
  const rows: Row[] = [
    ...rowsOf("2*200 429", 0, 0.1),
    { at: 0.99, span: [1.01, 1.01], status: 429, by: "key" },
    { at: 1.5, status: 429, by: "key" },
  ];
  expect(answers(evaluate(world({}, { faults }), { rows }))).toBe("2*admit 429 open 429");
  const counted = {
    ...world({ algorithm: "fixed_window" }),
    faults: [
      {
        ...faults[0],
        configuration: configuration({
          keys: [key("alice", { limit: limitOf(3, 10) })],
          options: { algorithm: "fixed_window" },
        }),
      },
    ],
  };
  expect(
    answers(
      evaluate(counted, {
        rows: [...rowsOf("2*200 429", 0, 0.1), { at: 1 }, { at: 1.1, status: 429, by: "key" }],
      }),
    ),
  ).toBe("2*admit 429 admit 429");
});

test("a throttled request that a rate would refuse is open: it waits and is evaluated again (LIM-C9)", () => {
  const throttle = { intervalUs: us(0.1), retryLimit: 3 };
  const keys = [key("alice", { limit: limitOf(2, 10), throttle })];
  expect(answers(evaluate({ keys }, { rows: rowsOf("3*200", 0, 0.1) }))).toBe("2*admit open");
});

test.each<[string, Row, string]>([
  ["its gateway ended", { at: 0.1, lost: "ended" }, "2*admit open 429"],
  ["its connection broke", { at: 0.1, lost: "broken" }, "2*admit open 429"],
  ["its client stopped waiting", { at: 0.1, lost: "timeout" }, "2*admit open 429"],
  ["no gateway took it", { at: 0.1, lost: "unreachable" }, "3*admit 429"],
])("a lost request may have been written if a gateway took it: %s", (_, lost, expected) => {
  const rows: readonly Row[] = [{ at: 0 }, lost, { at: 0.2 }, { at: 0.3, status: 429, by: "key" }];
  expect(answers(evaluate(world({}), { rows }))).toBe(expected);
});

test("Retry-After is the largest wait over all levels that would refuse (HDR-C1)", () => {
  const limited = {
    apis: [api("orders", { globalRateLimit: limitOf(1, 1) })],
    keys: [key("alice", { limit: limitOf(1, 5) })],
    options: { algorithm: "fixed_window" },
  } as const;
  const rows = [
    { at: 0 },
    { at: 0.5, status: 429, by: "api" },
    { at: 1.5, status: 429, by: "key" },
  ] as const;
  const results = evaluate(limited, { rows });
  expect([retryAfter(results, 1), retryAfter(results, 2)]).toEqual(["5", "4"]);
});

test("in a log that a refusal is written to, the refused request counts as the newest (HDR-C1)", () => {
  const logged = {
    apis: [api("orders", { globalRateLimit: limitOf(2, 10) })],
    keys: [key("alice", { limit: limitOf(2, 10) })],
  };
  const rows = [{ at: 0 }, { at: 4 }, { at: 6.5, status: 429, by: "api" }] as const;
  // Written to the API's log: 4 is its second newest, so 7.5 s. Not written to the key's: 0 must leave.
  expect(retryAfter(evaluate(logged, { rows }), 2)).toBe("8");
  const longer = {
    apis: [api("orders", { globalRateLimit: limitOf(1, 6) })],
    keys: [key("alice", { limit: limitOf(1, 10) })],
  };
  const two = [{ at: 0 }, { at: 5, status: 429, by: "api" }] as const;
  expect(retryAfter(evaluate(longer, { rows: two }), 1)).toBe("6");
});

test("who was sent before the answer may have come before, however late it was decided (ALG-C6)", () => {
  const one = { keys: [key("alice", { limit: limitOf(1, 10) })] };
  const rows: Row[] = [
    { at: 0, span: [0.001, 0.001], answered: 0.1 },
    { at: 0.1, span: [0.599, 0.599], answered: 0.6 },
  ];
  const commands = world({ algorithm: "non_transactional" }, { ...slower, ...one });
  expect(answers(evaluate(commands, { rows }))).toBe("2*open");
});

test("upstream's mark is not known while a write is on its way", () => {
  const rows: Row[] = [
    { at: 0, span: [0, 0.2] },
    { at: 0.1, span: [0.1, 0.3] },
  ];
  const marked = world({ algorithm: "sentinel", sentinelMark: "fixed" });
  expect(evaluate(marked, { rows, timing: BOUNDED }).rows[1]?.why).toBe(
    "key: a write is still on its way (LIM-1)",
  );
});

test.each([
  [0.5, "admit open"],
  [0.6, "admit open"],
  [0.600001, "admit 429"],
  [0.2, "2*admit"],
  [0.9, "admit 429"],
])("a request between 0.3 s and 0.6 s, with a restart of the store at %d s: %s", (at, expected) => {
  const faults = [{ kind: "store_restart", atUs: us(at) }] as const;
  const one = world({}, { keys: [key("alice", { limit: limitOf(1, 10) })], faults });
  const rows: Row[] = [
    { at: 0.1, span: [0.1, 0.1] },
    { at: 0.3, span: [0.3, 0.6] },
  ];
  expect(answers(evaluate(one, { rows, timing: BOUNDED }))).toBe(expected);
});
