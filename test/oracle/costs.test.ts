// Where one flow states its cost, the gateway reads that header of all flows (LIM-C18).
import { expect, test } from "vitest";
import { checkVariant } from "../../src/check/run.ts";
import { playVirtual } from "../../src/drivers/virtual.ts";
import { plan } from "../../src/scenario/plan/plan.ts";
import { decode } from "../../src/scenario/read/decode.ts";

const scenarioText = (gateway: string, header: string): string => `
id: check/costs
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
  - { at: 3s, configure: { gateway: { algorithm: fixed_window } } }
expect:
  - { id: a wrong cost is rejected, sequence: { flow: wrong }, equals: 400 }
  - { id: one unit is left, sequence: { flow: later }, equals: 200 429 }
  - { id: agrees with the specification, decisions: {}, agreeWith: oracle }
`;

test.each([
  ["no option", "", "Weir-Cost"],
  ["the option cost_header", ", cost_header: X-Cost", "X-Cost"],
])("a cost in a flow, and others in headers, with %s", (_, gateway, header) => {
  const { scenario, problems } = decode(
    "scenarios/check/costs.yaml",
    scenarioText(gateway, header),
  );
  expect(problems).toEqual([]);
  const variant = scenario!.variants[0]!;
  const verdicts = checkVariant(variant, playVirtual(variant, plan(variant, scenario!.id, 1)));
  expect(verdicts.map(({ expectation, outcome }) => `${expectation}: ${outcome}`)).toEqual([
    "a wrong cost is rejected: pass",
    "one unit is left: pass",
    "agrees with the specification: pass",
  ]);
});
