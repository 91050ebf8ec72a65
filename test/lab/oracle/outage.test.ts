// What may be decided while the store is silent, and after a gateway died with requests under way.
import { expect, test } from "vitest";
import { limitOf } from "#src/limiter/core/limit.ts";
import { micros, secondsToMicros } from "#src/kit/units.ts";
import type { HistorySpan } from "#src/lab/scenario/history.ts";
import { rowsOf, type Row } from "../../histories/history.ts";
import { api, configuration, key, right, type VariantText } from "../../histories/world.ts";
import { answers, evaluate, inWords } from "./evaluate.ts";

const us = secondsToMicros;
/** At the users API alone the key has a limit that is counted in the gateway too. */
const rights = new Map([
  ["orders", right()],
  ["users", right(limitOf(9, 1))],
]);
const down = (gateway: number | null): HistorySpan => ({
  what: "store_down",
  gateway,
  fromUs: us(0.5),
  toUs: us(9),
  text: "store is down",
});

/** The API's limit is counted in the gateway, and the key's in the store. */
const mixed: VariantText = {
  apis: [api("orders", { globalRateLimit: limitOf(2, 1) })],
  keys: [key("alice", { limit: limitOf(9, 10) })],
};

test.each([
  ["allow", "2*admit 429 admit"],
  ["deny", "2*admit 2*refuse"],
  ["local", "2*admit refuse open"],
] as const)(
  "limits counted in the gateway apply without the store too, %s: %s",
  (onStoreError, expected) => {
    const rows: Row[] = [
      ...rowsOf("2*200", 0.1, 0.1),
      { at: 0.9, status: 429, by: "api" },
      { at: 1.2 },
    ];
    const options = { algorithm: null, drlThreshold: 1.5, onStoreError };
    expect(answers(evaluate({ ...mixed, options }, { rows, spans: [down(null)] }))).toBe(expected);
  },
);

test("the reason has both the gateway's count and the rule for the store's limits", () => {
  const options = { algorithm: null, drlThreshold: 1.5, onStoreError: "deny" } as const;
  const of = (at: number) =>
    evaluate({ ...mixed, options }, { rows: [{ at }], spans: [down(null)] });
  expect(of(1).rows[0]?.why).toBe(
    "api: no window is running (LIM-7, LIM-2); the store is down and on_store_error denies (ALG-C8)",
  );
  expect([answers(of(0.45)), answers(of(0.39))]).toEqual(["open", "admit"]);
});

test("only a request that needs the store detects its return", () => {
  const flows = [{ name: "orders" }, { name: "users", send: "GET /users" }];
  const world: VariantText = {
    apis: [
      api("orders", { globalRateLimit: limitOf(9, 1) }),
      api("users", { globalRateLimit: limitOf(9, 1) }),
    ],
    keys: [key("alice", { accessRights: rights, limit: limitOf(1, 1) })],
    options: { algorithm: null, drlThreshold: 5, onStoreError: "deny" },
    flows,
  };
  const rows: Row[] = [
    { at: 11, flow: "users", api: "users" },
    { at: 12, flow: "orders" },
    { at: 13, flow: "orders" },
  ];
  expect(answers(evaluate(world, { rows, flows, spans: [down(null)] }))).toBe("admit open admit");
});

test("a gateway that is cut off is cut off alone", () => {
  const rows: Row[] = [
    { at: 1, gateway: 0, fleet: 2 },
    { at: 1.1, gateway: 1, fleet: 2 },
  ];
  const deny = { ...mixed, options: { onStoreError: "deny" } } as const;
  expect(answers(evaluate(deny, { rows, spans: [down(0)] }))).toBe("503 admit");
  expect(answers(evaluate(deny, { rows, spans: [down(1)] }))).toBe("admit 503");
});

const slow = { environment: { storeUs: { kind: "constant", us: micros(2_000) } } } as const;
const ENDED: Row = { at: 0.9995, answered: 1, lost: "ended" };
test.each<[number, readonly Row[], string]>([
  [0.9, [ENDED], "admit"],
  [0.9995, [ENDED], "admit"],
  [0.9995, [ENDED, ENDED], "open"],
  [2, [ENDED], "admit"],
  [2, [ENDED, ENDED], "open"],
  [2, [{ at: 0.9995, lost: "unreachable" }], "admit"],
  [2, [{ ...ENDED, at: 2.5, answered: 3 }], "admit"],
  [2, [], "admit"],
])("at %d s, with %j lost: %s", (at, lost, expected) => {
  const faults = [1, 3].map((s) => ({ kind: "gateway_restart", atUs: us(s), node: 0 }) as const);
  const world = { keys: [key("alice", { limit: limitOf(2, 10) })], faults, ...slow };
  expect(inWords(evaluate(world, { rows: [{ at }, ...lost] }).rows[0]!)).toBe(expected);
});

const ALONE: VariantText = {
  keys: [key("alice", { limit: limitOf(9, 1) })],
  options: { onStoreError: "deny" },
};
const silence = (what: HistorySpan["what"]): HistorySpan => ({ ...down(null), toUs: us(2), what });

test.each([
  ["store_down", "admit open 2*503 3*open admit"],
  ["fallback", "admit 4*open 3*admit"],
  ["fault", "8*admit"],
] as const)("before, at and after the ends of %s from 0.5 s to 2 s: %s", (what, expected) => {
  const rows = [0.399999, 0.4, 0.5, 1.999999, 2, 3, 3.1, 3.100001].map((at) => ({ at }));
  expect(answers(evaluate(ALONE, { rows, spans: [silence(what)] }))).toBe(expected);
});

test("the reason names on_store_error: allow", () => {
  const allow = { ...ALONE, options: { onStoreError: "allow" } } as const;
  const { rows } = evaluate(allow, { rows: [{ at: 1 }], spans: [silence("store_down")] });
  expect(rows[0]).toMatchObject({
    admit: true,
    refuse: false,
    why: "the store is down and on_store_error allows (ALG-C8)",
  });
});

test("each gateway detects the return of the store by itself", () => {
  const rows: Row[] = [
    { at: 3.5, gateway: 1, fleet: 2 },
    { at: 4, gateway: 0, fleet: 2 },
    { at: 4.2, gateway: 0, fleet: 2 },
    { at: 4.2, gateway: 1, fleet: 2 },
  ];
  expect(answers(evaluate(ALONE, { rows, spans: [silence("store_down")] }))).toBe("2*open 2*admit");
});

test.each([
  [4.132, "2*open"],
  [4.132001, "open admit"],
])("the return of a slow store is detected later: at %d s %s", (at, expected) => {
  const rows: Row[] = [{ at: 4 }, { at }];
  expect(answers(evaluate({ ...ALONE, ...slow }, { rows, spans: [silence("store_down")] }))).toBe(
    expected,
  );
});

test("the longest time-out of the run applies", () => {
  const patient = { ...ALONE, options: { onStoreError: "deny", storeTimeoutUs: us(0.3) } } as const;
  const faults = [
    { kind: "configure", atUs: us(9), configuration: configuration(patient) },
  ] as const;
  const at = (s: number): string =>
    answers(evaluate({ ...ALONE, faults }, { rows: [{ at: s }], spans: [silence("store_down")] }));
  expect([at(0.2), at(0.199999)]).toEqual(["open", "admit"]);
});
