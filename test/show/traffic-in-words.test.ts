import { expect, test } from "vitest";
import { trafficTexts } from "#src/lab/report/build/traffic-in-words.ts";
import { decodeScenario } from "../lab/scenario/examples.ts";

const wordsOf = (flow: string): readonly string[] =>
  trafficTexts(
    decodeScenario(`id: limits/words
title: x
world:
  apis: { orders: { listen: /orders } }
  keys: { alice: { apis: [orders], rate: 5, per: 1 }, bob: { apis: [orders], rate: 5, per: 1 } }
traffic:
  - { ${flow} }
expect:
  - { id: something, count: {}, atLeast: 1 }
`).variants[0]!,
  );

test.each([
  [
    "send: GET /orders, burst: 8",
    "anonymous: 8 requests at once at 0s, without a key: GET /orders.",
  ],
  [
    "as: alice, send: GET /orders, burst: 8, clients: 3",
    "alice: 8 requests at once at 0s, as alice by 3 clients in turn: GET /orders.",
  ],
  [
    "as: [alice, bob, null], send: [GET /orders, PUT /orders], from: 10.0.0.7, burst: 8",
    "mixed: 8 requests at once at 0s, as alice, bob, no key in turn from 10.0.0.7: GET /orders, PUT /orders in turn.",
  ],
  [
    "as: alice, send: { GET /orders: 3, PUT /orders: 1 }, from: { 10.0.0.0/8: 2, 10.0.0.7: 1 }, burst: 8",
    "alice: 8 requests at once at 0s, as alice from 10.0.0.0/8 (2), 10.0.0.7 (1) by weight: GET /orders (3), PUT /orders (1) by weight.",
  ],
  [
    'send: GET /orders, from: ["::1", "::2", "::3", "::4", "::5", "::6", "::7"], burst: 8',
    "anonymous: 8 requests at once at 0s, without a key from ::1, ::2, ::3, ::4, ::5, 2 more in turn: GET /orders.",
  ],
  [
    "as: alice, send: GET /orders, clients: 3, cron: { every: 1m, jitter: 5s }, for: 5m, behaviour: { atb: {} }",
    "alice: a request of each client every 60s, up to 5s late, for 300s, from 0s on, as alice by 3 clients: GET /orders; clients wait for tokens of their own, whose rate a 429 halves (ATB).",
  ],
  [
    "as: alice, send: GET /orders, clients: 3, population: { rate: 2, pareto: 1.5 }, for: 5m",
    "alice: 2 a second for 300s, each client at random gaps (gamma, coefficient of variation 1) and a rate drawn by a Pareto distribution (1.5), from 0s on, as alice by 3 clients: GET /orders.",
  ],
])("%s is put into words", (flow, text) => {
  expect(wordsOf(flow)).toEqual([text]);
});
