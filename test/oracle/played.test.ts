// Whole scenarios in virtual time, of cases in which the oracle was wrong.
import { expect, test } from "vitest";
import { checkVariant } from "../../src/check/run.ts";
import { playVirtual } from "../../src/drivers/virtual.ts";
import { plan } from "../../src/scenario/plan/plan.ts";
import { decode } from "../../src/scenario/read/decode.ts";

function outcomesOf(text: string): readonly string[] {
  const { scenario, problems } = decode("scenarios/check/played.yaml", text);
  expect(problems).toEqual([]);
  const variant = scenario!.variants[0]!;
  const verdicts = checkVariant(variant, playVirtual(variant, plan(variant, scenario!.id, 1)));
  return verdicts.map(({ expectation, outcome }) => `${expectation}: ${outcome}`);
}

/** Where one flow states its cost, the gateway reads that header of all flows (LIM-C18). */
const costs = (gateway: string, header: string, later: string, last: string): string => `
id: check/played
title: two flows state their costs
proves: [LIM-C18]
world:
  apis: { orders: { listen: /orders } }
  keys: { alice: { apis: [orders], rate: 10, per: 10 } }
  gateway: { algorithm: fixed_window${gateway} }
traffic:
  - { name: four, as: alice, send: GET /orders, burst: 1, cost: 4 }
  - { name: wrong, as: alice, send: GET /orders, burst: 1, headers: { ${header}: two }, at: 1s }
  - { name: two, as: alice, send: GET /orders, burst: 1, headers: { ${header}: "2" }, at: 2s }
  - { name: later, as: alice, send: GET /orders, burst: 2, headers: { ${header}: "3" }, at: 4s }
faults:
  - { at: 3s, configure: { gateway: { algorithm: fixed_window${later} } } }
expect:
  - { id: a wrong cost is rejected, sequence: { flow: wrong }, equals: 400 }
  - { id: three units fit by the later header, sequence: { flow: later }, equals: ${last} }
  - { id: agrees with the specification, decisions: {}, agreeWith: oracle }
`;

test.each([
  ["no option", "", "Weir-Cost", "", "200 429"],
  ["the option cost_header", ", cost_header: X-Cost", "X-Cost", "", "200 429"],
  ["another header later", "", "Weir-Cost", ", cost_header: X-Other", "200 200"],
])("a cost in a flow, and others in headers, with %s", (_, gateway, header, later, last) => {
  expect(outcomesOf(costs(gateway, header, later, last))).toEqual([
    "a wrong cost is rejected: pass",
    "three units fit by the later header: pass",
    "agrees with the specification: pass",
  ]);
});

/**
 * Two requests overlap, so that the allowance after the third one is open. It has fallen to the threshold when the last
 * one arrives, but the mark still has the allowance of its write.
 */
const marks = (mark: string): string => `
id: check/played
title: an allowance that was open when a mark was set
proves: [LIM-6, ALG-C5]
world:
  apis: { orders: { listen: /orders } }
  keys:
    carol:
      apis: [orders]
      rate: 2
      per: 0.001
      smoothing: { enabled: true, threshold: 1, step: 1, trigger: 0.1, delay: 0.25 }
  gateway: { algorithm: sentinel, sentinel_mark: ${mark} }
  store: { latency: 1us }
traffic:
  - { name: overlap, as: carol, send: GET /orders, burst: 2 }
  - { name: rise, as: carol, send: GET /orders, burst: 1, at: 313ms }
  - { name: last, as: carol, send: GET /orders, burst: 1, at: 60s }
expect:
  - { id: the mark has two, response: { flow: last }, matches: { headers: { X-RateLimit-Limit: 2 } } }
  - { id: agrees with the specification, decisions: {}, agreeWith: oracle }
`;

test.each(["sliding", "fixed"])("an allowance that was open when a %s mark was set", (mark) => {
  expect(outcomesOf(marks(mark))).toEqual([
    "the mark has two: pass",
    "agrees with the specification: pass",
  ]);
});

/** A request of two units waits for its turn when its gateway crashes: the bucket has them, and the history lacks it. */
const lost = `
id: check/played
title: a lost request of two units
proves: [LIM-1, LIM-C18]
world:
  apis: { orders: { listen: /orders, rate: 2, per: 60 } }
  keys: { alice: { apis: [orders] } }
  gateway: { algorithm: leaky_bucket }
  fleet: { nodes: 2 }
traffic:
  - { name: two, as: alice, send: GET /orders, burst: 1, cost: 2, at: 1ms }
  - { name: one, as: alice, send: GET /orders, trace: { times: [0s, 500ms] } }
faults: [{ at: 250ms, gateway: crash, node: 1 }]
expect:
  - { id: the second one is refused, sequence: { flow: one }, equals: 200 429 }
  - { id: it was refused for units that it has met, invariant: refusals }
`;

test("a lost request has the units of the largest flow", () => {
  expect(outcomesOf(lost)).toEqual([
    "the second one is refused: pass",
    "it was refused for units that it has met: pass",
  ]);
});
