// A gateway whose key has a leaky bucket, as its upstream sees it (ALG-C10).
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { micros } from "#src/kit/units.ts";
import { gap } from "#src/studies/swarm/arbitrary/moments.ts";
import { holds } from "../runs.ts";
import { configurationOf, rigOf, send } from "./rig.ts";

interface Limited {
  readonly rate: number;
  readonly per: number; // seconds
  readonly queue: number | "rate";
}

const limited = fc.record<Limited>({
  rate: fc.constantFrom(1, 2, 3, 5, 7, 8, 1.5, 2.25, 3.999999),
  per: fc.constantFrom(0.007, 0.25, 0.5, 1, 1.234567, 2, 60),
  queue: fc.constantFrom<Limited["queue"]>(0, 1, 2, 5, 12, "rate"),
});
const gaps = fc.array(gap(3), { minLength: 1, maxLength: 60 });

interface Arrival {
  readonly atUs: number;
  readonly leavesUs: number | null; // null: refused
}

function arrivalsAt({ rate, per, queue }: Limited, gapsUs: readonly number[]): readonly Arrival[] {
  const rig = rigOf(
    configurationOf({
      apis: { orders: { listen: "/orders" } },
      policies: {},
      keys: { alice: { apis: ["orders"], rate, per } },
      gateway: { algorithm: "leaky_bucket", queue },
    }),
  );
  let atUs = 0;
  return gapsUs.map((gapUs) => {
    atUs += gapUs;
    const { refused, decision } = send(rig, { atUs: micros(atUs), as: "alice", path: "/orders" });
    return { atUs, leavesUs: refused === null ? atUs + decision!.delayUs : null };
  });
}

const leavingTimes = (arrivals: readonly Arrival[]): readonly number[] =>
  arrivals.flatMap(({ leavesUs }) => (leavesUs === null ? [] : [leavesUs]));

const runs = fc.tuple(limited, gaps).map(([limit, gapsUs]) => ({
  ...limit,
  distanceUs: (limit.per * 1e6) / limit.rate,
  arrivals: arrivalsAt(limit, gapsUs),
}));

describe("requests of a leaky bucket (ALG-C10)", () => {
  test("leave in their order, at least per/rate apart, by the microsecond that a turn is rounded up to", () => {
    holds(
      fc.property(runs, ({ arrivals, distanceUs }) => {
        const times = leavingTimes(arrivals);
        const distances = times.slice(1).map((us, index) => us - times[index]!);
        expect(distances.filter((us) => us <= distanceUs - 1)).toEqual([]);
      }),
      300,
    );
  });

  test("are refused only while the queue has no room, and never wait where it has none", () => {
    holds(
      fc.property(runs, ({ arrivals, distanceUs, rate, queue }) => {
        const places = queue === "rate" ? Math.floor(rate) : queue;
        for (const [index, { atUs, leavesUs }] of arrivals.entries()) {
          const before = leavingTimes(arrivals.slice(0, index));
          const waiting = before.filter((us) => us > atUs).length;
          const isFree = atUs - (before.at(-1) ?? Number.NEGATIVE_INFINITY) >= distanceUs;
          expect(waiting).toBeLessThanOrEqual(places);
          expect(leavesUs !== null).toBe(isFree || waiting < places);
        }
      }),
      300,
    );
  });

  test("leave at the first turn that is free", () => {
    holds(
      fc.property(runs, ({ arrivals, distanceUs }) => {
        const admitted = arrivals.filter(({ leavesUs }) => leavesUs !== null);
        for (const [index, { atUs, leavesUs }] of admitted.entries()) {
          const lastUs = admitted[index - 1]?.leavesUs ?? Number.NEGATIVE_INFINITY;
          expect(leavesUs).toBeLessThanOrEqual(Math.max(atUs, Math.ceil(lastUs + distanceUs)));
        }
      }),
      300,
    );
  });
});
