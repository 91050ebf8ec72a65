import { expect, test } from "vitest";
import { rehearse } from "#src/lab/run/rehearsal.node.ts";
import { scenarioOf } from "../../show/small-runs.ts";

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
] as const)("%s: a request %s", async (rehearsed, _, last, expectation) => {
  const one = scenario(last, expectation);
  expect(await rehearse(one, one.variants[0]!, 1)).toBe(rehearsed);
});
