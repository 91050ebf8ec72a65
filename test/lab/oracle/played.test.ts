// Whole scenarios in virtual time, of a case in which the oracle was wrong. The others are in scenarios/regressions.
import { expect, test } from "vitest";
import { checkVariant } from "#src/lab/check/run.ts";
import { playVirtual } from "#src/lab/drivers/virtual.ts";
import { plan } from "#src/lab/scenario/plan/plan.ts";
import { decode } from "#src/lab/scenario/read/decode.ts";

function outcomesOf(text: string): readonly string[] {
  const { scenario, problems } = decode("scenarios/check/played.yaml", text);
  expect(problems).toEqual([]);
  const variant = scenario!.variants[0]!;
  const verdicts = checkVariant(variant, playVirtual(variant, plan(variant, scenario!.id, 1)));
  return verdicts.map(({ expectation, outcome }) => `${expectation}: ${outcome}`);
}

/** Where one flow states its cost, the gateway reads that header of all flows (LIM-C19). */
const costs = (gateway: string, header: string, later: string, last: string): string => `
id: check/played
title: two flows state their costs
proves: [LIM-C19]
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
