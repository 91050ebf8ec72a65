import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Algorithm } from "#src/limiter/core/algorithms.ts";
import type { LimiterEvent } from "#src/limiter/core/events.ts";
import { EPOCH_US } from "#src/lab/sim/engine.ts";
import {
  finelySmoothedLimit,
  smoothedLimit,
  SECOND_US,
  type RawLimit,
} from "#src/studies/swarm/arbitrary/limits.ts";
import { traffic, type SentRequest } from "#src/studies/swarm/arbitrary/traffic.ts";
import type { RawWorld } from "#src/studies/swarm/arbitrary/worlds.ts";
import { rig, send } from "./rig.ts";
import { holds } from "../runs.ts";

const LOGS: readonly Algorithm[] = ["sliding_log", "bounded_log", "non_transactional", "sentinel"];

const one = (limit: RawLimit, algorithm: Algorithm): RawWorld => ({
  apis: { orders: { listen: "/orders" } },
  policies: {},
  keys: { alice: { ...limit, access_rights: { orders: {} } } } as unknown as RawWorld["keys"],
  gateway: { algorithm },
});

/** Long enough at one pace that A moves: many requests close together, then few. */
const paces = fc
  .array(fc.tuple(fc.constantFrom(0, 1, 2, 6), fc.integer({ min: 1, max: 25 })), {
    minLength: 1,
    maxLength: 6,
  })
  .chain((stages) =>
    fc.tuple(
      ...stages.map(([longestGap, most]) =>
        traffic({ most: most * 3, longestGap, clients: ["alice"], paths: ["/orders"] }),
      ),
    ),
  )
  .map((stages) => {
    let startUs = 0;
    return stages.flatMap((stage) => {
      const fromUs = startUs;
      startUs += stage.at(-1)!.atUs;
      return stage.map((sending): SentRequest => ({ ...sending, atUs: fromUs + sending.atUs }));
    });
  });

interface Seen {
  readonly limits: readonly number[]; // floor(A) as each answer shows it
  readonly events: readonly (readonly LimiterEvent[])[]; // with each answer
}

function runWith(limit: RawLimit, algorithm: Algorithm, requests: readonly SentRequest[]): Seen {
  const on = rig(one(limit, algorithm));
  const limits: number[] = [];
  const events = requests.map((sending) => {
    const before = on.events.length;
    limits.push(send(on, sending).decision!.limit);
    return on.events.slice(before).filter(({ value }) => value !== null);
  });
  return { limits, events };
}

/** A before and after each event, from the threshold on. */
function steps(
  limit: RawLimit,
  events: readonly LimiterEvent[],
): readonly { from: number; to: number }[] {
  let from = limit.smoothing!.threshold;
  return events.map(({ value }) => {
    const step = { from, to: value! };
    from = value!;
    return step;
  });
}

describe("the allowance of a smoothed key", () => {
  const cases = LOGS.flatMap((algorithm) => [
    [algorithm, "whole", smoothedLimit] as const,
    [algorithm, "seldom whole", finelySmoothedLimit] as const,
  ]);

  const over = (
    arbitrary: fc.Arbitrary<RawLimit>,
    algorithm: Algorithm,
    fact: (limit: RawLimit, found: Seen, requests: readonly SentRequest[]) => void,
    runs = 60,
  ): void =>
    holds(
      fc.property(arbitrary, paces, (limit, requests) =>
        fact(limit, runWith(limit, algorithm, requests), requests),
      ),
      runs,
    );

  test.each(cases)("%s, %s: is between threshold and rate (SMO-2)", (algorithm, _, limits) => {
    over(limits, algorithm, ({ rate, smoothing }, { events, limits: shown }) => {
      const values = events.flat().map(({ value }) => value!);
      expect(values.filter((value) => value < smoothing!.threshold || value > rate)).toEqual([]);
      const [least, most] = [Math.floor(smoothing!.threshold), Math.floor(rate)];
      expect(shown.filter((value) => value < least || value > most)).toEqual([]);
    });
  });

  test.each(cases)(
    "%s, %s: moves by one step in the direction of the event, and by less only to a bound (SMO-3, SMO-4, SMO-C3)",
    (algorithm, _, limits) => {
      over(limits, algorithm, (limit, { events }) => {
        const { step, threshold } = limit.smoothing!;
        const all = events.flat();
        const wrong = steps(limit, all).filter(({ from, to }, index) => {
          const isUp = all[index]!.event === "RateLimitSmoothingUp";
          const whole = isUp ? Math.min(from + step, limit.rate) : Math.max(from - step, threshold);
          return to !== whole || from === to;
        });
        expect(wrong).toEqual([]);
      });
    },
  );

  test.each(cases)(
    "%s, %s: rests for the hold-off between two events (SMO-9, SMO-C1)",
    (algorithm, _, limits) => {
      over(limits, algorithm, ({ smoothing }, { events }, requests) => {
        const stampsUs = [
          EPOCH_US + requests[0]!.atUs,
          ...events.flat().map(({ stampUs }) => stampUs),
        ];
        const gapsUs = stampsUs.slice(1).map((us, index) => us - stampsUs[index]!);
        expect(gapsUs.filter((us) => us < smoothing!.delay * SECOND_US)).toEqual([]);
      });
    },
  );

  test.each(cases)(
    "%s, %s: has one event for each change, and no others (EVT-1)",
    (algorithm, _, limits) => {
      over(limits, algorithm, ({ smoothing }, { events, limits: shown }) => {
        let value = smoothing!.threshold;
        const reported = events.map((now) => {
          const before = value;
          value = now.at(-1)?.value ?? value;
          // A sentinel's A moves in the background, so the response has the earlier value (SMO-C2).
          return Math.floor(algorithm === "sentinel" ? before : value);
        });
        expect(shown).toEqual(reported);
      });
    },
  );

  test("reaches both of its bounds, so that they are tried", () => {
    const limit = {
      rate: 2.75,
      per: 1,
      smoothing: { enabled: true, threshold: 1, step: 1, trigger: 0.5, delay: 1 },
    };
    const at = (seconds: number): SentRequest => ({
      atUs: seconds * SECOND_US,
      as: "alice",
      path: "/orders",
    });
    const busy = Array.from({ length: 50 }, (_, i) => at(i * 0.1));
    const { events } = runWith(limit, "sliding_log", [...busy, at(20), at(40)]);
    const moves = steps(limit, events.flat()).map(({ from, to }) => `${from}-${to}`);
    expect(moves).toEqual(["1-2", "2-2.75", "2.75-1.75", "1.75-1"]);
  });
});
