// Which of the found rates is recommended: each part of the rule decides only where the parts before it do not.
import { expect, test } from "vitest";
import { micros } from "#src/kit/units.ts";
import { choose, weigh } from "#src/studies/recommend/choice.ts";
import type {
  FoundRate,
  OmittedClients,
  RateSearch,
  RecommendedRule,
} from "#src/studies/recommend/recommendation.ts";
import { freeLogRule } from "#src/studies/replay/candidates.ts";
import { ALGORITHM_RULES, PROFILE_RULES } from "./traffic.ts";

const MINUTE = micros(60_000_000);
const HOUR = micros(3_600_000_000);
const ruleOf = (name: string): RecommendedRule =>
  [...ALGORITHM_RULES, ...PROFILE_RULES, freeLogRule()].find(({ by }) => by.name === name)!;

/** A search that found a rate with this most in a window. */
function searchOf(
  name: string,
  most: number | null,
  more: Partial<FoundRate> = {},
  perUs = MINUTE,
): RateSearch {
  const rule = ruleOf(name);
  const found: FoundRate = {
    limit: { kind: "limit", limit: { rate: 10, perUs }, ...rule },
    forRequests: 10,
    forClients: 10,
    below: null,
    starved: [],
    refusals: {
      rate: 10,
      ids: new Int32Array(0),
      good: new Int32Array(0),
      bad: new Int32Array(0),
      goodRequests: 0,
      goodClients: 0,
      badRequests: 0,
      badClients: 0,
    },
    interval: null,
    edge: [],
    placements: [{ name: "as logged", rate: 10 }],
    mostInWindow: most,
    ...more,
  };
  return { rule, perUs, found, refusedAtMost: 0, points: [], knee: null };
}

const NOT_PLACED = { placements: [{ name: "at random", rate: null }] };
const nameOf = (found: FoundRate | null | undefined): string | null => found?.limit.by.name ?? null;

test.each<
  readonly [why: string, searches: readonly RateSearch[], chosen: string, rival: string | null]
>([
  [
    "the least is admitted",
    [searchOf("fixed_window", 9), searchOf("token_bucket", 7)],
    "token_bucket",
    null,
  ],
  [
    "a log counts refused requests",
    [searchOf("sliding_log", 10), searchOf("fixed_window", 20), searchOf("token_bucket", 19)],
    "token_bucket",
    "sliding_log",
  ],
  [
    "others admit more than twice as many",
    [searchOf("bounded_log", 11), searchOf("sliding_log", 10), searchOf("gcra", 21)],
    "sliding_log",
    "gcra",
  ],
  [
    "a log that does not count refusals admits as few",
    [searchOf("sliding_log", 10), searchOf("free_log", 10)],
    "free_log",
    "sliding_log",
  ],
  [
    "a bucket admits the next sooner",
    [searchOf("fixed_window", 9), searchOf("sliding_window_counter", 9), searchOf("gcra", 9)],
    "gcra",
    null,
  ],
  [
    "requests do not wait",
    [searchOf("leaky_bucket", 1), searchOf("sliding_log", 90)],
    "sliding_log",
    null,
  ],
  [
    "it has a rate for each placement",
    [searchOf("token_bucket", 1, NOT_PLACED), searchOf("sliding_log", 90)],
    "sliding_log",
    null,
  ],
  [
    "its most is known",
    [searchOf("nginx", null), searchOf("sliding_log", 90)],
    "sliding_log",
    null,
  ],
  ["there is no other", [searchOf("nginx", null)], "nginx", null],
])("a candidate is chosen because %s", (_, searches, chosen, rival) => {
  for (const order of [searches, searches.toReversed()]) {
    const weighed = weigh(order, MINUTE);
    expect([nameOf(weighed?.chosen), nameOf(weighed?.rival)]).toEqual([chosen, rival]);
  }
});

test("the first window that has a rate decides, and the limit without the outliers is kept", () => {
  const none = { ...searchOf("token_bucket", 1), found: null };
  const [log, bucket] = [searchOf("sliding_log", 9, {}, HOUR), searchOf("gcra", 9, {}, HOUR)];
  const leftOut: OmittedClients = {
    clients: new Set([1]),
    limits: [{ rule: log.rule, perUs: HOUR, rate: 10 }],
  };
  const searches = [none, log, bucket];
  expect(choose(searches, [MINUTE, HOUR])).toBe(bucket.found);
  expect(choose([searchOf("drl", 3), ...searches], [HOUR], leftOut)).toBe(log.found);
  expect(weigh(searches, HOUR, leftOut)).toEqual({ chosen: log.found, rival: bucket.found });
  expect(choose([none], [MINUTE])).toBeNull();
});
