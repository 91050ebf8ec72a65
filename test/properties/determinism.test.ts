import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { History } from "#src/lab/scenario/history.ts";
import { scenario, type ScenarioParts } from "#src/studies/swarm/arbitrary/scenarios.ts";
import { RICH } from "#src/studies/swarm/arbitrary/worlds.ts";
import type { RawScenario } from "#src/studies/swarm/as-scenario.ts";
import { runWorld } from "../studies/swarm/run-world.ts";
import { holds } from "../runs.ts";

const EVERYTHING: ScenarioParts = {
  world: { ...RICH, thresholds: true, throttles: true, keyFirst: true },
  gateways: 4,
  skewed: true,
  slow: true,
  faults: true,
  configures: true,
  ramps: true,
};

/** Every byte of the columns, and the rest as text. */
function bytesOf({ requests, ...rest }: History): unknown {
  const { length, ...columns } = requests;
  const bytes = Object.entries(columns).map(([name, column]) => [
    name,
    Buffer.from(column.buffer, column.byteOffset, column.byteLength).toString("base64"),
  ]);
  return { length, bytes, rest: JSON.stringify(rest) };
}

const run = (raw: RawScenario, seed: number): unknown => bytesOf(runWorld(raw, seed).history);

describe("a simulated run", () => {
  test("gives the same bytes twice", () => {
    holds(
      fc.property(scenario(EVERYTHING), fc.integer({ min: 0, max: 2 ** 32 }), (raw, seed) => {
        expect(run(raw, seed)).toEqual(run(raw, seed));
      }),
      80,
    );
  });

  test.each([
    ["traffic", { traffic: [{ poisson: 20, for: "5s" }] }],
    ["populations", { traffic: [{ population: { rate: 20, cv: 2 }, clients: 3, for: "5s" }] }],
    ["the ways", { around: { network: { latency: { exponential: "5ms" } } } }],
    ["the store", { around: { store: { latency: { uniform: ["1ms", "9ms"] } } } }],
    ["the balancer", { around: { fleet: { nodes: 3, balancer: "random" } } }],
    [
      "a client's jitter",
      { traffic: [{ burst: 8, behaviour: { backoff: { base: "1s", jitter: 1 } } }] },
    ],
  ])(
    "gives others with another seed, where %s goes by chance",
    (_, { traffic, around }: Partial<Pick<RawScenario, "traffic" | "around">>) => {
      const sent = traffic ?? [{ every: "100ms", count: 20 }];
      const raw: RawScenario = {
        world: {
          apis: { orders: { listen: "/orders" } },
          policies: {},
          keys: { alice: { apis: ["orders"], rate: 2, per: 1 } },
          gateway: {},
        },
        around: around ?? {},
        traffic: sent.map((shape) => ({ as: "alice", send: "GET /orders", ...shape })),
        faults: [],
      };
      expect(run(raw, 1)).toEqual(run(raw, 1));
      expect(run(raw, 2)).not.toEqual(run(raw, 1));
    },
  );
});
