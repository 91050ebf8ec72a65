import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Algorithm } from "#src/limiter/core/algorithms.ts";
import type { RequestOutcome } from "#src/gateway/outcome.ts";
import { BUSY, traffic, type SentRequest } from "#src/studies/swarm/arbitrary/traffic.ts";
import {
  RICH,
  world,
  type RawObject,
  type RawWorld,
  type WorldParts,
} from "#src/studies/swarm/arbitrary/worlds.ts";
import { flowsOf, duration } from "#src/studies/swarm/as-scenario.ts";
import { runWorld } from "../studies/swarm/run-world.ts";
import { rig, send } from "./rig.ts";
import { holds } from "../runs.ts";

const statusOf = ({ refused }: RequestOutcome): number => refused?.status ?? 200;

describe("a sentinel whose writes end before the next request (ALG-C5)", () => {
  test("decides as the sliding log, request by request", () => {
    // A shared mark has only the rate of its last writer (LIM-C8).
    const one = { algorithms: ["sliding_log"], smoothing: "none", patterns: false } as const;
    const parts: WorldParts = { ...RICH, ...one };
    const statuses = (raw: RawWorld, requests: readonly SentRequest[]): readonly number[] => {
      const on = rig(raw);
      return requests.map((sending) => statusOf(send(on, sending)));
    };
    holds(
      fc.property(world(parts), traffic({ ...BUSY, most: 60 }), (raw, requests) => {
        const gateway: RawObject = { ...raw.gateway, algorithm: "sentinel" };
        expect(statuses({ ...raw, gateway }, requests)).toEqual(statuses(raw, requests));
      }),
      300,
    );
  });
});

interface Interval {
  readonly fromUs: number;
  readonly toUs: number;
}

/** The most that are under way at one moment. */
const mostTogether = (all: readonly Interval[]): number =>
  Math.max(
    ...all.map(
      ({ fromUs }) => all.filter((one) => one.fromUs <= fromUs && fromUs <= one.toUs).length,
    ),
  );

const mostInAnyWindow = (stampsUs: readonly number[], perUs: number): number =>
  Math.max(
    0,
    ...stampsUs.map((us) => stampsUs.filter((other) => other > us - perUs && other <= us).length),
  );

describe("where requests overlap (LIM-C11)", () => {
  const PER_US = 1_000_000;
  const run = (
    algorithm: Algorithm,
    rate: number,
    latencyUs: number,
    requests: readonly SentRequest[],
  ) =>
    runWorld({
      world: {
        apis: { orders: { listen: "/orders" } },
        policies: {},
        keys: { alice: { apis: ["orders"], rate, per: 1 } },
        gateway: { algorithm, store_timeout: 60 },
      },
      around: { store: { latency: duration(latencyUs), cost: { command: "100us" } } },
      traffic: flowsOf(requests),
      faults: [],
    }).history.requests;

  test.each<Algorithm>(["sentinel", "non_transactional"])(
    "%s admits at most as many more as are under way together",
    (algorithm) => {
      const alone = { most: 40, longestGap: 3, clients: ["alice"], paths: ["/orders"] };
      holds(
        fc.property(
          fc.integer({ min: 1, max: 6 }),
          fc.constantFrom(1, 1_000, 100_000, 400_000),
          traffic(alone),
          (rate, latencyUs, sent) => {
            const { length, status, stampUs, sentUs, answeredUs } = run(
              algorithm,
              rate,
              latencyUs,
              sent,
            );
            const rows = Array.from({ length }, (_, row) => row);
            // A background write takes as long again as the response.
            const flights = rows.map((row) => ({
              fromUs: sentUs[row]!,
              toUs: 2 * answeredUs[row]! - sentUs[row]!,
            }));
            const admitted = rows.filter((row) => status[row] === 200).map((row) => stampUs[row]!);
            expect(mostInAnyWindow(admitted, PER_US)).toBeLessThanOrEqual(
              rate + mostTogether(flights),
            );
          },
        ),
        60,
      );
    },
  );

  test("both do admit more, and the atomic log never does (ALG-6, ALG-7)", () => {
    const burst = Array.from({ length: 10 }, (): SentRequest => ({
      atUs: 0,
      as: "alice",
      path: "/orders",
    }));
    const passed = (["sentinel", "non_transactional", "sliding_log"] as const).map(
      (algorithm) =>
        run(algorithm, 3, 100_000, burst).status.filter((status) => status === 200).length,
    );
    expect(passed[0]).toBe(10);
    expect(passed[1]).toBeGreaterThan(3);
    expect(passed[2]).toBe(3);
  });
});
