// Random worlds in which gateways end while requests are under way: in the network, at the store, in a queue, or at the
// upstream.
import * as fc from "fast-check";
import type { RawScenario } from "#src/studies/swarm/as-scenario.ts";
import { scenario, type ScenarioParts } from "#src/studies/swarm/arbitrary/scenarios.ts";
import { RICH, type RawObject } from "#src/studies/swarm/arbitrary/worlds.ts";

const PARTS: ScenarioParts = {
  world: { ...RICH, outages: true },
  gateways: 3,
  skewed: true,
  slow: true,
  faults: true,
  configures: true,
  ramps: false,
};

const time = (mostMs: number): fc.Arbitrary<string> =>
  fc.integer({ min: 0, max: mostMs }).map((ms) => `${ms}ms`);

const end: fc.Arbitrary<RawObject> = fc.record({
  at: time(4_000),
  gateway: fc.constantFrom("restart", "restart", "restart", "crash"),
  node: fc.constant(0),
});

/** A way is long in some of them, and some clients send one request at a time. */
const around: fc.Arbitrary<RawObject> = fc.oneof(
  fc.constant({}),
  time(900).map((latency) => ({ network: { latency } })),
  time(900).map((latency) => ({ store: { latency } })),
  time(3_000).map((way) => ({ upstream: { time: way } })),
);

export const lossyWorlds = (parts: Partial<ScenarioParts> = {}): fc.Arbitrary<RawScenario> =>
  fc
    .record({
      raw: scenario({ ...PARTS, ...parts }),
      long: around,
      ends: fc.array(end, { minLength: 1, maxLength: 4 }),
      sequential: fc.boolean(),
    })
    .map(({ raw, long, ends, sequential }) => ({
      ...raw,
      around: { ...raw.around, ...long },
      traffic: sequential
        ? raw.traffic.map((flow) => ({ ...flow, sequential: true }))
        : raw.traffic,
      faults: [...raw.faults, ...ends],
    }));
