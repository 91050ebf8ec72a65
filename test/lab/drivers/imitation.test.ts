// A gateway that imitates a limiter of others runs in virtual time alone, and nothing else takes it for one of Weir's.
import { describe, expect, test } from "vitest";
import { checkVariant } from "#src/lab/check/run.ts";
import { OFFERS } from "#src/lab/drivers/offers.ts";
import { playVariant } from "#src/lab/drivers/virtual.node.ts";
import { decode } from "#src/lab/scenario/read/decode.ts";
import { plan } from "#src/lab/scenario/plan/plan.ts";
import { readWorldFile } from "#src/gateway/settings/world.ts";

const WORLD = `
  apis: { orders: { listen: /orders } }
  keys: { alice: { apis: [orders], rate: 5, per: 1 } }`;

const variantWith = (gateway: string) => {
  const text = `
id: limits/imitated
title: a client uses its limit
proves: [LIM-1]
world:${WORLD}
  gateway: ${gateway}
traffic:
  - { as: alice, send: GET /orders, burst: 6 }
expect:
  - { id: agrees, decisions: {}, agreeWith: oracle }
  - { id: bounded, invariant: bounds }
  - { id: waits, invariant: retry-after }
  - { id: five, count: { status: 200 }, equals: 5 }
`;
  const { scenario, problems } = decode("limits/imitated.yaml", text);
  if (scenario === null) throw new Error(problems.map(({ message }) => message).join("\n"));
  return scenario.variants[0]!;
};

const GATEWAYS = ["{ profile: varnish }", "{ algorithm: gcra, burst: rate }"] as const;

describe("the oracle", () => {
  test.each([
    [GATEWAYS[0], ["error", "error", "pass", "pass"]],
    [GATEWAYS[1], ["pass", "pass", "pass", "pass"]],
  ])("of %s", async (gateway, outcomes) => {
    const variant = variantWith(gateway);
    const history = await playVariant(variant, plan(variant, "limits/imitated", 1));
    const verdicts = checkVariant(variant, history);
    expect(verdicts.map(({ outcome }) => outcome)).toEqual(outcomes);
    for (const { outcome, observed } of verdicts)
      expect(observed.includes("imitates a limiter of others")).toBe(outcome === "error");
  });
});

test.each(["embedded", "redis"] as const)("the driver %s does not run it", (name) => {
  const reasons = GATEWAYS.map((gateway) => OFFERS[name].reasons?.(variantWith(gateway)) ?? []);
  expect(reasons.map((each) => each.map(({ missing }) => missing))).toEqual([["imitation"], []]);
});

test("no gateway serves it", () => {
  const read = GATEWAYS.map((gateway) =>
    readWorldFile({
      file: "w.yaml",
      text: `${WORLD.replaceAll("\n  ", "\n")}\ngateway: ${gateway}`,
    }),
  );
  expect(read.map(({ configuration }) => configuration === null)).toEqual([true, false]);
  expect(read.map(({ errors }) => errors)).toEqual([
    [
      "w.yaml error SET-TOGETHER profile and imitate are for scenarios in virtual time, and not for a gateway; remove them, and choose an algorithm",
    ],
    [],
  ]);
});
