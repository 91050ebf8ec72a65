// What may be decided while the store is silent, and after a gateway died with requests under way.
import { expect, test } from "vitest";
import { limitOf } from "../../src/core/limit.ts";
import { micros, secondsToMicros } from "../../src/core/units.ts";
import type { Span } from "../../src/scenario/history.ts";
import { rowsOf, type Row } from "../histories/history.ts";
import { api, key, type VariantText } from "../histories/world.ts";
import { answers, asked } from "./asked.ts";

const us = secondsToMicros;
const down = (gateway: number | null): Span => ({
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
  "what a gateway counts itself rules without the store too, %s: %s",
  (onStoreError, said) => {
    const rows: Row[] = [
      ...rowsOf("2*200", 0.1, 0.1),
      { at: 0.9, status: 429, by: "api" },
      { at: 1.2 },
    ];
    const options = { algorithm: null, drlThreshold: 1.5, onStoreError };
    expect(answers(asked({ ...mixed, options }, { rows, spans: [down(null)] }))).toBe(said);
  },
);

test("a gateway that is cut off is cut off alone", () => {
  const rows: Row[] = [
    { at: 1, gateway: 0, fleet: 2 },
    { at: 1.1, gateway: 1, fleet: 2 },
  ];
  const deny = { ...mixed, options: { onStoreError: "deny" } } as const;
  expect(answers(asked(deny, { rows, spans: [down(0)] }))).toBe("503 admit");
  expect(answers(asked(deny, { rows, spans: [down(1)] }))).toBe("admit 503");
});

const slow = { environment: { storeUs: { kind: "constant", us: micros(2_000) } } } as const;
test.each([
  [0.9, 1, {}, "admit"],
  [0.9, 1, slow, "admit"],
  [0.9995, 1, slow, "open"],
  [2, 1, slow, "open"],
  [2, 0, slow, "admit"],
  [2, 1, {}, "admit"],
])("at %d s, with %d requests lost with their gateways, %j: %s", (at, unanswered, more, said) => {
  const faults = [1, 3].map((s) => ({ kind: "gateway_restart", atUs: us(s), node: 0 }) as const);
  const world = { keys: [key("alice", { limit: limitOf(2, 10) })], faults, ...more };
  expect(answers(asked(world, { rows: [{ at }], unanswered }))).toBe(said);
});
