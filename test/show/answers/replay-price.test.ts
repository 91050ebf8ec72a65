// The price in the answer of weir replay: the most in any window, for one limit and for several.
import { expect, test } from "vitest";
import { answerReplay } from "#src/show/answers/replay.ts";
import type { UnansweredReplay } from "#src/studies/replay/result.ts";
import { ofAlgorithm, resultOf, type Setup } from "./replay-results.ts";

const REQUESTS = [0, 1, 2, 3].map((second) => ({
  atUs: Date.UTC(2026, 0, 5, 10) * 1000 + second * 1_000_000,
  client: 1,
}));

const replay = (candidates: Setup["candidates"], more: Partial<Setup> = {}): UnansweredReplay =>
  resultOf({
    requests: REQUESTS,
    candidates,
    isWholeSeconds: false,
    key: "ip",
    retries: null,
    units: null,
    ...more,
  });

const priceOf = (facts: UnansweredReplay): string | undefined =>
  answerReplay(facts).find(({ id }) => id === "price" || id === "kept")?.text;

const of = (name: string, ...limits: readonly (readonly [number, number])[]): Setup["candidates"] =>
  limits.map(([rate, perS]) => ofAlgorithm(name, rate, perS));

test("the price is the most of each limit, with its limit where there are several", () => {
  const both = [
    ...of("token_bucket", [60, 60], [100, 60]),
    ...of("sliding_log", [60, 60], [100, 60]),
  ];
  expect(priceOf(replay(both))).toBe(
    "The price: a token bucket may admit of a client in a window up to 119 at 60 per minute and 199 at 100 per minute; a sliding log never admits more than the limit.",
  );
  expect(priceOf(replay(of("fixed_window", [60, 60], [5, 1])))).toBe(
    "The price: a fixed window may admit of a client in a window up to 119 at 60 per minute and 9 at 5 per second.",
  );
  expect(priceOf(replay(of("drl", [60, 60]), { key: "none" }))).toBe(
    "The price: DRL may admit up to 119 of all clients together in one minute.",
  );
  const burst = [...of("token_bucket", [60, 60]), ...of("gcra", [60, 60])];
  const facts = replay(burst);
  const [bucket, gcra] = facts.candidates;
  expect(priceOf({ ...facts, candidates: [bucket!, { ...gcra!, burst: 20 }] })).toBe(
    "The price: a token bucket may admit up to 119 and GCRA (20 at once) may admit up to 79 of a client in one minute.",
  );
  const five = [1, 2, 3, 4, 5].map((rate) => [10 * rate, 60] as const);
  expect(priceOf(replay(of("token_bucket", ...five)))).toContain(
    " up to 19 at 10 per minute and 99 at 50 per minute, and so on.",
  );
});

test("a limiter that never exceeds its limit is no price, and of some nothing is known", () => {
  expect(priceOf(replay(of("gcra", [60, 60])))).toBe(
    "GCRA (one at once) never admits more than the limit of a client in any window.",
  );
  expect(priceOf(replay(of("sentinel", [60, 60])))).toBeUndefined();
  expect(priceOf(replay(of("token_bucket", [60, 60]), { units: [2] }))).toBeUndefined();
});
