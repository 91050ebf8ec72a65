import { expect, test } from "vitest";
import { rehearse } from "../../src/run/rehearsal.node.ts";
import { scenarioOf } from "../report/small-runs.ts";

const scenario = (last: string, expectation: string) =>
  scenarioOf(`id: limits/small
title: two a second
proves: [LIM-1]
world:
  apis: { orders: { listen: /orders } }
  keys: { alice: { apis: [orders], rate: 2, per: 1 } }
  gateway: { algorithm: sliding_log }
traffic:
  - { name: all, as: alice, send: GET /orders, trace: { times: [0s, 0s, ${last}] } }
expect:
  - { id: one, ${expectation} }
`);

test.each([
  ["decided", "half a window before the edge", "500ms", "count: { status: 200 }, equals: 2"],
  ["open", "a microsecond before the edge", "999999us", "count: { status: 200 }, equals: 2"],
  ["open", "at the edge", "1s", "count: { status: 200 }, equals: 3"],
  [
    "wrong",
    "with a body that nothing explains",
    "500ms",
    "response: { flow: all, nth: 2 }, matches: { body: { error: another } }",
  ],
  [
    "open",
    "that is refused with its Retry-After a microsecond before the edge",
    "999999us",
    "response: { flow: all, nth: 2 }, matches: { headers: { Retry-After: 1 } }",
  ],
  [
    "open",
    "that is admitted without a Retry-After at the edge",
    "1s",
    "response: { flow: all, nth: 2 }, matches: { headers: { Retry-After: null } }",
  ],
  [
    "wrong",
    "with a Retry-After that is longer than any wait",
    "999999us",
    "response: { flow: all, nth: 2 }, matches: { headers: { Retry-After: 3 } }",
  ],
] as const)("%s: a request %s", async (rehearsed, _, last, expectation) => {
  const one = scenario(last, expectation);
  expect(await rehearse(one, one.variants[0]!, 1)).toBe(rehearsed);
});

/** The write of the request of three units raises the allowance from 1 to 3, if its hold-off of 500 ms is over. */
const sentinel = (headers: string) =>
  scenarioOf(`id: limits/small
title: a request of three units waits under the allowance that it raises
proves: [LIM-1]
world:
  apis: { orders: { listen: /orders } }
  keys:
    alice:
      apis: [orders]
      rate: 3
      per: 0.25
      smoothing: { enabled: true, threshold: 1, step: 2, trigger: 0.1, delay: 0.5 }
  gateway: { algorithm: sentinel }
traffic:
  - { name: one, as: alice, send: GET /orders, burst: 1 }
  - { name: three, as: alice, send: GET /orders, cost: 3, trace: { times: [501ms] } }
expect:
  - { id: one, response: { flow: three, nth: 0 }, matches: { status: 429, headers: { ${headers} } } }
`);

test.each([
  ["open", "Retry-After: 1, X-RateLimit-Limit: 1, X-RateLimit-Reset: 1767225601"],
  ["wrong", "Retry-After: 4"],
  ["wrong", "Retry-After: 1, X-RateLimit-Limit: 4"],
  ["wrong", "X-RateLimit-Reset: 1767225609"],
] as const)("%s: a refusal just after a hold-off, with %s", async (rehearsed, headers) => {
  const one = sentinel(headers);
  expect(await rehearse(one, one.variants[0]!, 1)).toBe(rehearsed);
});

/** Both limits refuse the second request of Bob, if his first came after those of Carol. */
const levels = (limit: number) =>
  scenarioOf(`id: limits/small
title: the API has room for three of Carol and one of Bob
proves: [LIM-1]
world:
  apis: { orders: { listen: /orders, global_rate_limit: { rate: 4, per: 1 } } }
  keys:
    bob: { apis: [orders], rate: 1, per: 100 }
    carol: { apis: [orders], rate: 9, per: 100 }
  gateway: { algorithm: sliding_log }
traffic:
  - { name: carol, as: carol, send: GET /orders, burst: 3 }
  - { name: bob, as: bob, send: GET /orders, trace: { times: [1ms, 2ms] } }
expect:
  - { id: one, response: { flow: bob, nth: last }, matches: { status: 429, headers: { X-RateLimit-Limit: ${limit} } } }
`);

test.each([
  ["open", 4],
  ["wrong", 9],
] as const)("%s: a refusal by the first of two limits, which is %d", async (rehearsed, limit) => {
  const one = levels(limit);
  expect(await rehearse(one, one.variants[0]!, 1)).toBe(rehearsed);
});
