import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Level } from "#src/limiter/core/store.ts";
import type { Algorithm } from "#src/limiter/core/algorithms.ts";
import type { GatewayOptions } from "#src/limiter/core/config.ts";
import { requestsTo, level, type LevelParts } from "../limiter/store/budgets.ts";
import { gap, GRID_US } from "#src/studies/swarm/arbitrary/moments.ts";
import { holds } from "../runs.ts";

const PER_US = 4 * GRID_US; // one second

/** The most that lie in any (t - per, t]. */
function mostInAnyWindow(stampsUs: readonly number[]): number {
  const counts = stampsUs.map(
    (us) => stampsUs.filter((other) => other > us - PER_US && other <= us).length,
  );
  return Math.max(0, ...counts);
}

/** The times at which a level admits, of the times of requests. */
function timesAdmitted(one: Level, stampsUs: readonly number[]): readonly number[] {
  const requests = requestsTo();
  return stampsUs.filter((us) => requests.at(us / 1_000_000, one).refusedBy < 0);
}

interface Bound {
  readonly algorithm: Algorithm;
  readonly options?: Partial<GatewayOptions>;
  readonly gateways?: number;
  /** LIM-C11, for a whole rate. */
  readonly most: (rate: number) => number;
  /** The exact rate is paid back in a window, so decimals may add one more request. */
  readonly paysBack?: true;
  /** Times of requests that reach the bound. */
  readonly reach: (rate: number) => readonly number[];
}

const times = (count: number, us: number): readonly number[] =>
  Array.from({ length: count }, () => us);
/** A budget that begins late in one window and is spent, and again as soon as it is full. */
const aroundAnEnd = (rate: number): readonly number[] => [
  0,
  ...times(rate - 1, PER_US - 1),
  ...times(rate, PER_US),
];
/** One more whenever there is one more. */
const oneByOne = (rate: number, fromUs: number): readonly number[] =>
  Array.from({ length: rate - 1 }, (_, i) => fromUs + (i + 1) * Math.ceil(PER_US / rate));

const LOG = { most: (rate: number) => rate, reach: (rate: number) => times(rate, 0) };

const BOUNDS: readonly Bound[] = [
  { algorithm: "sliding_log", ...LOG },
  { algorithm: "bounded_log", ...LOG },
  { algorithm: "non_transactional", ...LOG },
  { algorithm: "sentinel", ...LOG },
  { algorithm: "fixed_window", most: (rate) => 2 * rate - 1, reach: aroundAnEnd },
  {
    algorithm: "fixed_window",
    options: { fixedWindowStart: "clock" },
    most: (rate) => 2 * rate,
    reach: (rate) => [...times(rate, PER_US - 1), ...times(rate, PER_US)],
  },
  {
    algorithm: "drl",
    gateways: 3,
    most: (rate) => 2 * Math.max(1, Math.floor(rate / 3)) - 1,
    reach: (rate) => aroundAnEnd(Math.max(1, Math.floor(rate / 3))),
  },
  {
    algorithm: "token_bucket",
    most: (rate) => 2 * rate - 1,
    paysBack: true,
    reach: (rate) => [...times(rate, 0), ...oneByOne(rate, 0)],
  },
  {
    algorithm: "gcra",
    options: { burst: "rate" },
    most: (rate) => 2 * rate - 1,
    paysBack: true,
    reach: (rate) => [...times(rate, 0), ...oneByOne(rate, 0)],
  },
  {
    algorithm: "gcra",
    options: { burst: 1 },
    most: (rate) => rate,
    paysBack: true,
    reach: (rate) => [0, ...oneByOne(rate, 0)],
  },
  {
    // Its error: as much again, just before all of the older window has left.
    algorithm: "sliding_window_counter",
    most: (rate) => 2 * rate - 1,
    paysBack: true,
    reach: (rate) => [...times(rate, PER_US - 1), ...oneByOne(rate, PER_US)],
  },
];

const nameOf = ({ algorithm, options }: Bound): string =>
  options === undefined ? algorithm : `${algorithm} ${JSON.stringify(options)}`;
const rows = BOUNDS.map((bound) => [nameOf(bound), bound] as const);

const levelWith = ({ algorithm, options = {}, gateways = 1 }: Bound, rate: number): Level => {
  const parts: LevelParts = { rate, per: PER_US / 1_000_000, options, gateways };
  return level(algorithm, parts);
};

const requests = fc
  .array(gap(4), { minLength: 1, maxLength: 80, size: "max" })
  .map((gaps) => gaps.map((_, i) => gaps.slice(0, i + 1).reduce((sum, us) => sum + us, 0)));

describe("never more than stated is admitted in any window (LIM-1, LIM-C11)", () => {
  test.each(rows)("%s", (_, bound) => {
    holds(
      fc.property(fc.integer({ min: 1, max: 9 }), requests, (rate, stampsUs) => {
        const most = mostInAnyWindow(timesAdmitted(levelWith(bound, rate), stampsUs));
        expect(most).toBeLessThanOrEqual(bound.most(rate));
      }),
      150,
    );
  });

  test.each(rows)("%s, with the whole part of a rate with decimals", (_, bound) => {
    const fractions = fc.constantFrom(1.5, 2.25, 3.999999, 4.2, 8.75);
    holds(
      fc.property(fractions, requests, (rate, stampsUs) => {
        const most = mostInAnyWindow(timesAdmitted(levelWith(bound, rate), stampsUs));
        const more = bound.paysBack === true ? 1 : 0;
        expect(most).toBeLessThanOrEqual(bound.most(Math.floor(rate)) + more);
      }),
      60,
    );
  });

  test.each(rows)("%s, where the rate is 0", (_, bound) => {
    const nothing = levelWith(bound, 0);
    expect(timesAdmitted(nothing, [0, 1, PER_US, 9 * PER_US])).toEqual([]);
  });
});

describe("each bound is reached (LIM-C11)", () => {
  test.each(rows)("%s", (_, bound) => {
    const reached = [1, 2, 5, 9].map((rate) =>
      mostInAnyWindow(timesAdmitted(levelWith(bound, rate), bound.reach(rate))),
    );
    expect(reached).toEqual([1, 2, 5, 9].map((rate) => bound.most(rate)));
  });
});

describe("what a fixed window admits begins anew with each window (ALG-10)", () => {
  test("so that a client that keeps calling gets its rate in every one of them", () => {
    const stampsUs = Array.from({ length: 400 }, (_, i) => (i * PER_US) / 40);
    const passed = timesAdmitted(level("fixed_window", { rate: 3, per: 1 }), stampsUs);
    expect(passed).toHaveLength(3 * 10);
  });
});

describe("a log keeps refusing a client that never pauses (ALG-4)", () => {
  test.each<Algorithm>(["sliding_log", "bounded_log", "non_transactional", "sentinel"])(
    "%s",
    (algorithm) => {
      const stampsUs = Array.from({ length: 400 }, (_, i) => (i * PER_US) / 40);
      const limit = level(algorithm, { rate: 3, per: 1 });
      expect(timesAdmitted(limit, stampsUs)).toEqual(stampsUs.slice(0, 3));
      const calmer = [...stampsUs, 11 * PER_US];
      expect(timesAdmitted(limit, calmer)).toEqual([...stampsUs.slice(0, 3), 11 * PER_US]);
    },
  );
});
