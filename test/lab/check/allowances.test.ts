import { describe, expect, test } from "vitest";
import { limitOf } from "#src/limiter/core/limit.ts";
import { micros, SECOND } from "#src/kit/units.ts";
import type { Invariant } from "#src/lab/scenario/types.ts";
import {
  rowsOf,
  type EventText,
  type FlowText,
  type GaugeText,
  type Row,
} from "../../histories/history.ts";
import { api, configuration, key, right, type VariantText } from "../../histories/world.ts";
import { verdictOn } from "./verdict-on.ts";

const limitWithSmoothing = (rate: number, threshold: number) =>
  limitOf(rate, 1, { threshold, step: 2, trigger: 0.5, delayUs: micros(SECOND) });

const up = (at: number, value: number, more: Partial<EventText> = {}): EventText => ({
  event: "RateLimitSmoothingUp",
  at,
  value,
  ...more,
});

const ALICE: VariantText = { keys: [key("alice", { limit: limitWithSmoothing(5, 2) })] };
const TWO: readonly FlowText[] = [
  { name: "orders", as: "alice", send: "GET /orders" },
  { name: "users", as: "alice", send: "GET /users" },
  { name: "bob", as: "bob", send: "GET /orders" },
];
const rows = rowsOf("2*200", 0, 5);
const onTwo: readonly Row[] = [
  { at: 0, flow: "orders" },
  { at: 1, flow: "users", api: "users" },
  { at: 2, flow: "bob", key: "bob" },
];

interface AllowanceFacts {
  readonly events?: readonly EventText[];
  readonly gauges?: readonly GaugeText[];
}

const of = (rule: Invariant, facts: AllowanceFacts, variant: VariantText = {}) =>
  verdictOn({ kind: "invariant", rule }, { rows, ...facts }, { ...ALICE, ...variant });

const ofTwo = (rule: Invariant, facts: AllowanceFacts, variant: VariantText) =>
  verdictOn(
    { kind: "invariant", rule },
    { rows: onTwo, flows: TWO, ...facts },
    { flows: TWO, ...variant },
  );

describe("evidence of an allowance", () => {
  test.each<[string, AllowanceFacts]>([
    ["an event of another kind", { events: [up(1, 99, { event: "QuotaExceeded" })] }],
    ["an event without a value", { events: [{ event: "RateLimitSmoothingUp", at: 1 }] }],
    ["a sample of something else", { gauges: [{ at: 0, value: 99, gauge: "entries" }] }],
    ["an event of a key that was never there", { events: [up(1, 99, { key: "stranger" })] }],
  ])("is not %s", (_, facts) => {
    for (const rule of ["allowance", "changes"] as const)
      expect(of(rule, facts)).toMatchObject({ outcome: "vacuous", examined: 0 });
  });

  test("is each event and each sample", () => {
    const facts = { events: [up(1, 4), up(2, 5)], gauges: [{ at: 0, value: 2 }] };
    expect(of("allowance", facts)).toMatchObject({ outcome: "pass", examined: 3 });
    expect(of("changes", facts)).toMatchObject({ outcome: "pass", examined: 2 });
  });

  test("does not exist at a keyless API", () => {
    const open = { apis: [api("orders", { keyless: true }), api("users")] };
    expect(of("allowance", { events: [up(1, 9)] }, open).outcome).toBe("vacuous");
  });

  test("does not exist for a key without smoothing", () => {
    const keys = [key("alice", { limit: limitOf(5, 1) })];
    expect(of("allowance", { events: [up(1, 9)] }, { keys }).outcome).toBe("vacuous");
    expect(of("changes", { events: [up(1, 9)] }, { keys }).outcome).toBe("vacuous");
  });
});

describe("a key under several rules", () => {
  const access = new Map([
    ["orders", right(limitWithSmoothing(5, 2))],
    ["users", right(limitWithSmoothing(9, 1))],
  ]);
  const keys = [
    key("alice", { accessRights: access }),
    key("bob", { limit: limitWithSmoothing(5, 2) }),
  ];

  test.each([
    [0, "fail"],
    [1, "pass"],
    [9, "pass"],
    [10, "fail"],
  ])("has an allowance between the least and the most of them: %d is %s", (value, outcome) => {
    expect(ofTwo("allowance", { events: [up(1, value)] }, { keys }).outcome).toBe(outcome);
  });

  test.each<[string, readonly EventText[], string]>([
    ["steps by the first", [up(1, 4), up(2, 5)], "pass"],
    ["steps by the second", [up(1, 3), up(2, 5), up(3, 7)], "pass"],
    ["steps by neither", [up(1, 4), up(2, 6)], "fail"],
  ])("%s", (_, events, outcome) => {
    expect(ofTwo("changes", { events }, { keys }).outcome).toBe(outcome);
  });

  test("is reported at the end of the rule that it followed longest", () => {
    const events = [up(1, 3), up(2, 5), up(3, 8)];
    expect(ofTwo("changes", { events }, { keys }).observed).toBe(
      "the allowance of alice goes from 5 to 8 with RateLimitSmoothingUp at t=3s",
    );
  });

  test("steps on each of its budgets by itself", () => {
    const events = [
      up(1, 4, { budget: "orders" }),
      up(2, 3, { budget: "users" }),
      up(3, 5, { budget: "orders" }),
      up(4, 5, { budget: "users" }),
    ];
    expect(ofTwo("changes", { events }, { keys })).toMatchObject({ outcome: "pass", examined: 4 });
  });

  test("examines no budget that two keys step", () => {
    const events = [up(1, 4), up(2, 99, { key: "bob" })];
    expect(ofTwo("changes", { events }, { keys }).outcome).toBe("vacuous");
  });
});

describe("a change", () => {
  test("that stays at a bound is a violation", () => {
    expect(of("changes", { events: [up(1, 4), up(2, 5), up(3, 5)] }).outcome).toBe("fail");
  });

  test("of the first goes from the threshold", () => {
    expect(of("changes", { events: [up(1, 5)] })).toMatchObject({
      observed:
        "the allowance of alice goes from the threshold to 5 with RateLimitSmoothingUp at t=1s",
      evidence: [],
    });
  });

  const wrong = { events: [up(1, 5)] };
  const flight = { storeUs: { kind: "constant", us: micros(1000) } } as const;
  const quota = { max: 9, renewalUs: micros(SECOND) };

  test.each<[string, VariantText, string]>([
    ["in a local store", {}, "fail"],
    ["in a local store, in the background", { options: { algorithm: "sentinel" } }, "fail"],
    ["in a store that is elsewhere, at once", { environment: flight }, "fail"],
    [
      "in a bounded log elsewhere, at once",
      { environment: flight, options: { algorithm: "bounded_log" } },
      "fail",
    ],
    [
      "with a quota in another store",
      { environment: flight, keys: [key("alice", { limit: limitWithSmoothing(5, 2), quota })] },
      "fail",
    ],
    [
      "in a store elsewhere, behind the answer",
      { environment: flight, options: { algorithm: "sentinel" } },
      "vacuous",
    ],
    [
      "in a remote store, in the background, with an API's limit",
      {
        environment: flight,
        options: { algorithm: "sentinel" },
        apis: [api("orders", { globalRateLimit: limitOf(9, 1) }), api("users")],
      },
      "vacuous",
    ],
    [
      "under limits that change",
      {
        faults: [{ kind: "configure", atUs: micros(SECOND), configuration: configuration(ALICE) }],
      },
      "vacuous",
    ],
    [
      "in a store elsewhere, one command after the other",
      { environment: flight, options: { algorithm: "non_transactional" } },
      "vacuous",
    ],
  ])("%s, is examined while no writes overlap", (_, variant, outcome) => {
    expect(of("changes", wrong, variant).outcome).toBe(outcome);
  });

  test("is not examined if a request did not reach the store", () => {
    const down = { what: "store_down", gateway: null, text: "" } as const;
    const spans = [{ ...down, fromUs: micros(4 * SECOND), toUs: micros(6 * SECOND) }];
    const measure = { kind: "invariant", rule: "changes" } as const;
    expect(verdictOn(measure, { rows, ...wrong, spans }, ALICE).outcome).toBe("vacuous");
  });
});
