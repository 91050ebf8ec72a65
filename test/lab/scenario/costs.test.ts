import { expect, test } from "vitest";
import { decode } from "#src/lab/scenario/read/decode.ts";

const scenario = (gateway: string, flow: string): ReturnType<typeof decode> =>
  decode(
    "scenarios/limits/costs.yaml",
    `id: limits/costs
title: a cost
proves: [LIM-1]
world:
  apis: { orders: { listen: /orders } }
  keys: { alice: { apis: [orders], rate: 5, per: 1 } }
  gateway: ${gateway}
traffic:
  - { name: first, as: alice, send: GET /orders, burst: 1${flow} }
expect:
  - { id: one passes, count: { flow: first, status: 200 }, equals: 1 }
`,
  );

const sendCost = (gateway: string, flow: string) => {
  const [variant] = scenario(gateway, flow).scenario!.variants;
  const { cost, headers } = variant!.traffic[0]!;
  return { cost, headers, option: variant!.world.configuration!.options.costHeader };
};

test("a flow without a cost sets no header and no option", () => {
  expect(sendCost("{}", "")).toEqual({ cost: undefined, headers: {}, option: null });
});

test("a cost sets the header and the option where the world leaves it unset", () => {
  const headers = { "weir-cost": "3" };
  expect(sendCost("{}", ", cost: 3")).toEqual({ cost: 3, headers, option: "weir-cost" });
});

test("a cost is sent in the header that the world names", () => {
  const sent = sendCost("{ cost_header: X-Cost }", ", cost: 3");
  expect(sent).toEqual({ cost: 3, headers: { "x-cost": "3" }, option: "x-cost" });
});

test("a cost in the headers of a flow is its cost, and any other text there is not", () => {
  const headers = (text: string): string => `, headers: { X-Cost: "${text}" }`;
  expect(sendCost("{ cost_header: X-Cost }", headers("4")).cost).toBe(4);
  expect(sendCost("{ cost_header: X-Cost }", headers("1001")).cost).toBeUndefined();
  expect(sendCost("{}", headers("4")).cost).toBeUndefined();
});

test.each([
  [", cost: 0", "an integer from 1 to 1000"],
  [", cost: 1001", "an integer from 1 to 1000"],
  [', cost: 2, headers: { x-cost: "3" }', "states its cost twice"],
])("a flow with %s is reported", (flow, text) => {
  const { problems } = scenario("{ cost_header: X-Cost }", flow);
  expect(problems.map(({ message }) => message).join()).toContain(text);
});
