import { describe, expect, test } from "vitest";
import type { Explored } from "./interleave.ts";
import { inTwoSteps, race, type Parts } from "./races.ts";

const at = (count: number, seconds: number): readonly number[] =>
  Array.from({ length: count }, () => seconds);

/** `before` requests that are over, then `calls` at one instant, of which `together` may be under way. */
type Row = readonly [rate: number, before: number, calls: number, together: number];

const rush = (
  algorithm: string,
  [rate, before, calls, together]: Row,
  more: Partial<Parts> = {},
): Explored =>
  race({
    limit: { rate, per: 10 },
    gateway: { algorithm, burst: "rate" },
    before: at(before, 0),
    calls: at(calls, 1),
    together,
    ...more,
  });

/** The fewest and the most that any order admits. */
const spread = ({ ends }: Explored): readonly [least: number, most: number] => [
  ends[0]!.before + ends[0]!.admitted,
  ends.at(-1)!.before + ends.at(-1)!.admitted,
];

const size = ({ orders, states }: Explored): string => `${orders} orders, ${states} states`;

const ONE_STEP = [
  "sliding_log",
  "bounded_log",
  "fixed_window",
  "token_bucket",
  "gcra",
  "sliding_window_counter",
];

describe("an algorithm in one step admits the rate in every order (LIM-C1, LIM-C11)", () => {
  const cases = ONE_STEP.flatMap((algorithm) =>
    [0, 1].flatMap((before) => [2, 3, 4].map((calls) => [algorithm, before, calls] as const)),
  );
  test.each(cases)("%s, %i before and %i at once", (algorithm, before, calls) => {
    const found = rush(algorithm, [2, before, calls, calls]);
    expect(spread(found)).toEqual([2, 2]);
    expect(found.states).toBe(calls + 1); // all are alike: states differ only by the number of replies
    expect(found.orders).toBe([1, 1, 2, 6, 24][calls]);
  });

  test("and of two levels that are evaluated together, the lower rate", () => {
    const key = rush("sliding_log", [2, 0, 4, 4], { api: { rate: 3, per: 10 } });
    const api = rush("sliding_log", [3, 0, 4, 4], { api: { rate: 2, per: 10 } });
    expect([spread(key), spread(api)]).toEqual([
      [2, 2],
      [2, 2],
    ]);
  });
});

// With m under way together, the k-th attempt of the window is written at some moment. A later request
// finds it and is refused. So an admitted request is one of the first k to be written, or one of the others
// under way at that moment, of which there are m - 1: at most k - 1 + m in all. And never fewer than a log
// admits, because no request is refused before k are written.
const mostOf = (rate: number, together: number): number => rate - 1 + together;

const RUSHES: readonly (readonly [row: Row, sentinel: string, pipeline: string])[] = [
  [[1, 0, 2, 1], "2 orders, 5 states", "2 orders, 11 states"],
  [[1, 0, 2, 2], "6 orders, 8 states", "252 orders, 33 states"],
  [[1, 0, 3, 3], "90 orders, 19 states", "756756 orders, 191 states"],
  [[2, 1, 2, 2], "6 orders, 8 states", "252 orders, 33 states"],
  [[2, 0, 3, 2], "54 orders, 11 states", "7104 orders, 62 states"],
  [[2, 0, 3, 3], "90 orders, 12 states", "86724 orders, 102 states"],
  [[2, 1, 3, 1], "6 orders, 7 states", "6 orders, 16 states"],
  [[2, 1, 3, 2], "54 orders, 15 states", "16506 orders, 96 states"],
  [[2, 1, 3, 3], "90 orders, 19 states", "756756 orders, 191 states"],
  [[3, 2, 3, 3], "90 orders, 19 states", "756756 orders, 191 states"],
  [[2, 0, 4, 2], "648 orders, 18 states", "797976 orders, 143 states"],
  [[2, 1, 4, 2], "648 orders, 23 states", "2067024 orders, 217 states"],
  [[2, 1, 4, 3], "1944 orders, 35 states", "471369024 orders, 712 states"],
  [[2, 1, 4, 4], "2520 orders, 40 states", "11732745024 orders, 1156 states"],
];

describe.each([
  ["sentinel", 1],
  ["non_transactional", 2],
] as const)(
  "%s admits the rate at least, and one less than the rate and those under way at most (ALG-C5, ALG-C6)",
  (algorithm, column) => {
    const rows = RUSHES.map((each) => [...each[0], each[0], each[column]] as const);
    test.each(rows)(
      "rate %i, %i before, %i at once, %i together",
      (rate, before, calls, together, row, wanted) => {
        const found = rush(algorithm, row);
        const total = before + calls;
        const bound = Math.min(total, mostOf(rate, together));
        expect(spread(found)).toEqual([Math.min(total, rate), bound]); // both are reached
        expect(size(found)).toBe(wanted);
      },
    );
  },
);

describe("the search", () => {
  test("finds the excess of a limiter that reads its count and writes it back", () => {
    const results = ONE_STEP.map((algorithm) => {
      const found = rush(algorithm, [2, 0, 4, 4], { answering: inTwoSteps });
      return [algorithm, spread(found), found.orders];
    });
    expect(results).toEqual(ONE_STEP.map((algorithm) => [algorithm, [2, 4], 2520])); // 8! / 2!^4
  });

  test("returns one order for each end: two read before either counts", () => {
    const { ends } = rush("sliding_log", [1, 0, 2, 2], { answering: inTwoSteps });
    const shown = ends.map(({ admitted, orders, witness }) => ({ admitted, orders, witness }));
    expect(shown).toEqual([
      { admitted: 1, orders: 2, witness: [0, 0, 1, 1] },
      { admitted: 2, orders: 4, witness: [0, 1, 0, 1] },
    ]);
  });

  const ordersByAdmitted = ({ ends }: Explored): readonly (readonly [number, number])[] =>
    [...Map.groupBy(ends, ({ admitted }) => admitted)].map(([admitted, alike]) => [
      admitted,
      alike.reduce((sum, { orders }) => sum + orders, 0),
    ]);

  test.each(["sentinel", "non_transactional", "sliding_log"])(
    "counts the same orders of %s if requests that are alike are not exchanged",
    (algorithm) => {
      const parts = { limit: { rate: 2, per: 10 }, gateway: { algorithm }, before: [0] };
      const alike = race({ ...parts, calls: [1, 1, 1] });
      const apart = race({ ...parts, calls: [1, 1, 1], targets: ["/orders?a", "/orders?b"] });
      expect(ordersByAdmitted(alike)).toEqual(ordersByAdmitted(apart));
      expect(alike.states).toBeLessThan(apart.states);
    },
  );

  test("begins no more requests than may be under way together", () => {
    const found = rush("non_transactional", [2, 0, 4, 1]);
    expect([found.orders, spread(found)]).toEqual([24, [2, 2]]); // 4! ways to go one after the other
  });

  test("continues with a request that waits and tries again (LIM-C9)", () => {
    const throttled = { rate: 1, per: 10, throttle_interval: 11, throttle_retry_limit: 1 };
    const found = rush("non_transactional", [1, 0, 2, 2], { limit: throttled });
    // The second request tries again when the window is over.
    expect(spread(found)).toEqual([2, 2]);
  });
});
