// Whole scenarios: a world, its fleet and latencies, its traffic, and injected faults.
import * as fc from "fast-check";
import { flowsOf, duration, type RawScenario } from "../as-scenario.ts";
import { onGrid } from "./moments.ts";
import { BUSY, EVERYWHERE, traffic } from "./traffic.ts";
import { keyLimit, KEYS, without, world, type RawObject, type WorldParts } from "./worlds.ts";

export interface ScenarioParts {
  readonly world: WorldParts;
  readonly gateways: number; // the most gateways
  readonly skewed: boolean;
  readonly slow: boolean; // whether there are latencies, so that requests overlap
  readonly faults: boolean;
  readonly configures: boolean;
  readonly ramps: boolean; // whether a client sends for long enough that an allowance changes
}

const NOTHING: fc.Arbitrary<RawObject> = fc.constant({});
const text = (us: number): string => duration(us);

const latency = (mostUs: number): fc.Arbitrary<RawObject[string]> =>
  fc.oneof(
    fc.integer({ min: 1, max: mostUs }).map(text),
    fc
      .tuple(fc.integer({ min: 0, max: mostUs }), fc.integer({ min: 0, max: mostUs }))
      .map(([a, b]) => ({ uniform: [text(Math.min(a, b)), text(Math.max(a, b))] })),
    fc.integer({ min: 1, max: mostUs }).map((us) => ({ exponential: text(us) })),
  );

const formatSkew = (us: number): string => (us < 0 ? `-${text(-us)}` : text(us));

const fleet = ({ gateways, skewed }: ScenarioParts): fc.Arbitrary<RawObject> =>
  gateways === 1
    ? NOTHING
    : fc.integer({ min: 1, max: gateways }).chain((nodes) =>
        fc
          .record({
            balancer: fc.constantFrom("round-robin", "random", "sticky"),
            skew: skewed
              ? fc.array(fc.integer({ min: -100_000, max: 100_000 }), { maxLength: nodes })
              : fc.constant<number[]>([]),
          })
          .map(({ balancer, skew }) => ({
            fleet: {
              nodes,
              balancer,
              ...(skew.length === 0 ? {} : { skew: skew.map(formatSkew) }),
            },
          })),
      );

const delays = ({ slow }: ScenarioParts): fc.Arbitrary<RawObject> =>
  slow
    ? fc
        .record({
          network: fc.option(latency(50_000), { nil: undefined }),
          store: fc.option(latency(20_000), { nil: undefined }),
        })
        .map(({ network, store }) =>
          without({
            network: network === undefined ? undefined : { latency: network },
            store: store === undefined ? undefined : { latency: store },
          }),
        )
    : NOTHING;

/** Flows of every shape, in addition to those at given times. */
const shapedFlow = fc
  .record({
    as: fc.constantFrom<string | null>(...KEYS, null),
    path: fc.constantFrom(...EVERYWHERE),
    at: onGrid(0, 8),
    shape: fc.oneof(
      fc.integer({ min: 1, max: 12 }).map((burst): RawObject => ({ burst })),
      fc
        .tuple(onGrid(1, 4), fc.integer({ min: 1, max: 12 }))
        .map(([us, count]): RawObject => ({ every: text(us), count })),
      fc.integer({ min: 1, max: 12 }).map((rate): RawObject => ({ rate, for: "2s" })),
      fc.integer({ min: 1, max: 12 }).map((poisson): RawObject => ({ poisson, for: "2s" })),
      fc
        .integer({ min: 2, max: 12 })
        .map((rate): RawObject => ({ onoff: { on: "500ms", off: "750ms", rate }, for: "3s" })),
    ),
    behaviour: fc.constantFrom<RawObject[string]>("ignore", "ignore", "honourRetryAfter", {
      backoff: { base: "250ms", factor: 2, jitter: 0.5, maxAttempts: 4 },
    }),
  })
  .map(({ as, path, at, shape, behaviour }): RawObject => ({
    as,
    send: `GET ${path}`,
    at: text(at),
    ...shape,
    behaviour,
  }));

/** Rising traffic, then little: a smoothed allowance goes up and down again. */
const ramp = fc
  .record({
    as: fc.constantFrom(...KEYS),
    peak: fc.integer({ min: 4, max: 24 }),
    climb: onGrid(4, 16),
    ebb: onGrid(4, 24),
  })
  .map(({ as, peak, climb, ebb }): RawObject => ({
    name: "ramp",
    as,
    send: `GET ${EVERYWHERE[0]!}`,
    stages: [
      { name: "climb", rate: 1, rateTo: peak, for: text(climb) },
      { name: "ebb", rate: 1, for: text(ebb) },
    ],
  }));

const flows = ({ ramps }: ScenarioParts): fc.Arbitrary<readonly RawObject[]> =>
  fc
    .tuple(
      traffic({ ...BUSY, most: 30 }, "small"), // few requests, because many small worlds find more than long ones
      fc.array(shapedFlow, { maxLength: 2 }),
      ramps ? fc.array(ramp, { minLength: 1, maxLength: 1 }) : fc.constant([]),
    )
    .map(([requests, more, climbing]) => [
      ...flowsOf(requests),
      ...more.map((flow, index) => ({ name: `shaped-${index}`, ...flow })),
      ...climbing,
    ]);

const when = onGrid(0, 20).map(text);
const howLong = onGrid(1, 8).map(text);

/** An injected fault, or a change of configuration. Only gateway 0 is named, because others might not exist. */
const fault = (parts: ScenarioParts): fc.Arbitrary<RawObject> => {
  const node = fc.integer({ min: 0, max: 0 });
  const some: fc.Arbitrary<RawObject>[] = [];
  if (parts.faults)
    some.push(
      fc.record({ at: when, store: fc.constant("restart") }),
      fc.record({ at: when, for: howLong, store: fc.constant("down") }),
      fc.record({ at: when, gateway: fc.constant("restart"), node }),
    );
  if (parts.gateways > 1 && parts.faults)
    some.push(
      fc.record({ at: when, gateway: fc.constantFrom("leave", "crash"), node }),
      fc.record({ at: when, gateway: fc.constant("join"), nodes: fc.integer({ min: 1, max: 2 }) }),
    );
  if (parts.configures)
    some.push(
      fc
        .record({ at: when, key: fc.constantFrom(...KEYS), limit: keyLimit(parts.world) })
        .map(({ at, key, limit }) => ({
          at,
          configure: { keys: { [key]: { smoothing: null, ...limit } } },
        })),
    );
  return fc.oneof(...some);
};

const faults = (parts: ScenarioParts): fc.Arbitrary<readonly RawObject[]> =>
  parts.faults || parts.configures ? fc.array(fault(parts), { maxLength: 3 }) : fc.constant([]);

export const scenario = (parts: ScenarioParts): fc.Arbitrary<RawScenario> =>
  fc
    .record({
      world: world(parts.world),
      fleet: fleet(parts),
      ways: delays(parts),
      traffic: flows(parts),
      faults: faults(parts),
    })
    .map(
      ({
        world: configured,
        fleet: nodes,
        ways: latencies,
        traffic: requests,
        faults: injected,
      }) => ({
        world: configured,
        around: { ...nodes, ...latencies },
        traffic: requests,
        faults: injected,
      }),
    );
