import { describe, expect, test } from "vitest";
import { rng } from "#src/kit/chance/rng.ts";
import { balance, type BalancedGateway } from "#src/lab/sim/balancer.ts";
import type { Balancer } from "#src/lab/scenario/world.ts";

const nodes = (...weights: readonly number[]): BalancedGateway[] =>
  weights.map((weight, index) => ({ index, weight, serves: true, inFlight: 0 }));

function picksOf(kind: Balancer, fleet: readonly BalancedGateway[], clients: readonly string[]) {
  const pick = balance(kind, fleet, rng(1, "balancer"));
  return clients.map((client) => pick(client)?.index ?? null);
}

const EQUAL = ["round_robin", "random", "least_connections", "sticky"] as const;
const clients = Array.from({ length: 3_000 }, (_, i) => `client ${i}`);
const shares = (found: readonly (number | null)[], fleet: number): readonly number[] =>
  Array.from(
    { length: fleet },
    (_, index) => found.filter((one) => one === index).length / found.length,
  );

describe("a balancer", () => {
  test.each(EQUAL)("%s gives all gateways about the same", (kind) => {
    for (const share of shares(picksOf({ kind }, nodes(1, 1, 1), clients), 3))
      expect(share).toBeCloseTo(1 / 3, 1);
  });

  test.each([...EQUAL, "weighted"] as const)(
    "%s sends nothing to a gateway that does not serve",
    (kind) => {
      const fleet = nodes(1, 1, 1);
      fleet[1]!.serves = false;
      const weights = [1, 1, 1];
      const balancer = kind === "weighted" ? { kind, weights } : { kind };
      expect(new Set(picksOf(balancer, fleet, clients))).toEqual(new Set([0, 2]));
      for (const node of fleet) node.serves = false;
      expect(picksOf(balancer, fleet, ["alice"])).toEqual([null]);
    },
  );

  test("round robin goes round", () => {
    expect(picksOf({ kind: "round_robin" }, nodes(1, 1, 1), ["a", "a", "b", "a"])).toEqual([
      0, 1, 2, 0,
    ]);
  });

  test("least connections picks the gateway with the fewest requests under way, in turn among equals", () => {
    const fleet = nodes(1, 1, 1);
    fleet[0]!.inFlight = 2;
    expect(picksOf({ kind: "least_connections" }, fleet, ["a", "a", "a"])).toEqual([1, 2, 1]);
  });

  test("sticky sends each client to a gateway of its own, always", () => {
    const fleet = nodes(1, 1, 1);
    const [first] = picksOf({ kind: "sticky" }, fleet, ["alice"]);
    expect(
      picksOf({ kind: "sticky" }, fleet, ["bob", "alice", "carol", "alice"]).filter(
        (_, i) => i % 2 === 1,
      ),
    ).toEqual([first, first]);
  });

  test("weights are shares", () => {
    const weights = [6, 3, 1];
    const found = shares(picksOf({ kind: "weighted", weights }, nodes(...weights), clients), 3);
    found.forEach((share, index) => expect(share).toBeCloseTo(weights[index]! / 10, 1));
  });

  test("a weight of 0 gets nothing", () => {
    const weights = [0, 1];
    expect(new Set(picksOf({ kind: "weighted", weights }, nodes(...weights), clients))).toEqual(
      new Set([1]),
    );
  });
});
