// Limits with the field names of a configuration file.
import * as fc from "fast-check";
import { ODD_US, onGrid } from "./moments.ts";

interface RawSmoothing {
  readonly enabled: boolean;
  readonly threshold: number;
  readonly step: number;
  readonly trigger: number;
  readonly delay: number;
}

export interface RawLimit {
  readonly rate: number;
  readonly per: number;
  readonly smoothing?: RawSmoothing;
}

export const SECOND_US = 1_000_000;

/** Windows in seconds, from the shortest allowed one to a year. */
export const WINDOWS = [0.001, 0.5, 1, 1.5, 7, 60, 3600, 86_400, 31_536_000] as const;

/** Windows in seconds: mostly 0.25 to 2, so that a world spans many windows; often common ones, up to a year. */
const perSeconds: fc.Arbitrary<number> = fc.oneof(
  { weight: 6, arbitrary: onGrid(1, 8).map((us) => us / SECOND_US) },
  { weight: 1, arbitrary: fc.constantFrom(...ODD_US).map((us) => us / SECOND_US) },
  { weight: 3, arbitrary: fc.constantFrom(60, 3600, 86_400, 604_800, 31_536_000) },
);

const wholeRate = (most = 8): fc.Arbitrary<number> => fc.integer({ min: 1, max: most });

/** LIM-C2: mostly integers of every size, sometimes fractions above 1, sometimes zero. */
const anyRate: fc.Arbitrary<number> = fc.oneof(
  { weight: 11, arbitrary: wholeRate() },
  { weight: 1, arbitrary: fc.integer({ min: 9, max: 1_000_000 }) },
  { weight: 1, arbitrary: fc.constantFrom(60, 1000, 3600, 86_400, 1_000_000) },
  { weight: 2, arbitrary: fc.constantFrom(1.5, 2.25, 3.999999, 4.2) },
  { weight: 1, arbitrary: fc.constant(0) },
);

export const plainLimit: fc.Arbitrary<RawLimit> = fc.record({ rate: anyRate, per: perSeconds });

/** Smoothing with integers only, so that no rounding adds edges to those of the limit. */
export const smoothedLimit: fc.Arbitrary<RawLimit> = fc
  .record({
    rate: fc.integer({ min: 2, max: 9 }),
    per: perSeconds,
    threshold: fc.integer({ min: 1, max: 9 }),
    step: fc.integer({ min: 1, max: 4 }),
    trigger: fc.constantFrom(0.1, 0.25, 0.5, 1, 1.5),
    delay: onGrid(1, 12).map((us) => us / SECOND_US),
  })
  .map(({ rate, per, threshold, step, trigger, delay }) => ({
    rate,
    per,
    smoothing: { enabled: true, threshold: Math.min(threshold, rate), step, trigger, delay },
  }));

/** Smoothing in quarters, so that the allowance is seldom an integer. */
const inQuarters = (
  steps: fc.Arbitrary<number>,
  triggers: fc.Arbitrary<number>,
): fc.Arbitrary<RawLimit> =>
  smoothedLimit.chain((limit) =>
    fc
      .record({
        rate: fc.integer({ min: 4, max: 28 }),
        // With a threshold below one request, a client is refused for ever once its record has expired (SMO-C6).
        threshold: fc.integer({ min: 4, max: 28 }),
        step: steps,
        trigger: triggers,
      })
      .map(({ rate, threshold, step, trigger }) => ({
        ...limit,
        rate: rate / 4,
        smoothing: {
          ...limit.smoothing!,
          threshold: Math.min(threshold, rate) / 4,
          step: step / 4,
          trigger,
        },
      })),
  );

/** Small steps: the allowance may fall while a client waits, so its Retry-After was too short. */
export const finelySmoothedLimit: fc.Arbitrary<RawLimit> = inQuarters(
  fc.integer({ min: 1, max: 12 }),
  fc.constantFrom(0.1, 0.25, 0.5, 1, 1.5),
);

/** Large steps: the allowance falls only if one more request still fits under it, so HDR-C1 is exact. */
export const coarselySmoothedLimit: fc.Arbitrary<RawLimit> = inQuarters(
  fc.integer({ min: 8, max: 14 }),
  fc.constantFrom(0.5, 1, 1.5),
);
