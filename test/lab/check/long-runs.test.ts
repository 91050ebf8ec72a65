// The check of a long run takes the time of its length, under every algorithm: a check that looks through the whole past
// for each request would take the square of it.
import { expect, test } from "vitest";
import { checkVariant } from "#src/lab/check/run.ts";
import { playVirtual } from "#src/lab/drivers/virtual.ts";
import { plan } from "#src/lab/scenario/plan/plan.ts";
import { decode } from "#src/lab/scenario/read/decode.ts";

const textOf = (seconds: number): string => `
id: check/long
title: twice the rate for a long time
about: half of the requests are refused
proves: [LIM-1]
matrix: { algorithm: all }
world:
  gateway: { algorithm: $algorithm }
  apis: { orders: { listen: /orders } }
  keys: { alice: { apis: [orders], rate: 50, per: 10 } }
traffic:
  - { as: alice, send: GET /orders, rate: 10, for: ${seconds}s }
expect:
  - { id: agrees, decisions: {}, agreeWith: oracle }
  - { id: bounds, invariant: bounds }
  - { id: refusals, invariant: refusals }
`;

/** Processor time of the check of each variant, by its algorithm. */
function checkAll(seconds: number): ReadonlyMap<string, number> {
  const { scenario } = decode("scenarios/check/long.yaml", textOf(seconds));
  return new Map(
    scenario!.variants.map((variant) => {
      const history = playVirtual(variant, plan(variant, scenario!.id, 1));
      expect(history.requests.length).toBeGreaterThanOrEqual(seconds * 10);
      const before = process.cpuUsage();
      const verdicts = checkVariant(variant, history);
      const { user, system } = process.cpuUsage(before);
      expect(verdicts.map(({ outcome }) => outcome)).toEqual(["pass", "pass", "pass"]);
      return [variant.name, user + system] as const;
    }),
  );
}

/** The least of several times: something else may delay one of them. */
function leastOf(runs: number, seconds: number): ReadonlyMap<string, number> {
  const all = Array.from({ length: runs }, () => checkAll(seconds));
  return new Map(
    [...all[0]!.keys()].map((name) => [name, Math.min(...all.map((one) => one.get(name)!))]),
  );
}

test("eight times the requests take no more than twenty times the processor time", () => {
  checkAll(300); // or the shorter one would have the time of the compiler
  const short = leastOf(3, 150);
  const long = leastOf(2, 1_200);
  const slow = [...long].filter(([name, us]) => us > 20 * short.get(name)!);
  expect(slow).toEqual([]);
});
