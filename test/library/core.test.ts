import { expect, test } from "vitest";
import { ALGORITHMS } from "#src/limiter/core/algorithms.ts";
import { rng } from "#src/kit/chance/rng.ts";
import { createRateLimiter, type RateLimiter, type RateLimiterOptions } from "#src/library/core.ts";
import { SEED } from "../runs.ts";

const SECOND = 1_000_000;
const NOW = 1_700_000_000 * SECOND;

test.each(ALGORITHMS)("%s admits its rate and refuses the next request", (algorithm) => {
  const limiter = createRateLimiter({
    algorithm,
    perClient: { rate: 3, perUs: SECOND },
    burst: "rate",
    queue: 2,
  });
  const admitted = [0, 1, 2, 3].map((us) => limiter.decide("alice", NOW + us).admitted);
  expect(admitted).toEqual([true, true, true, false]);
  const refusal = limiter.decide("alice", NOW + 4);
  expect(refusal).toMatchObject({
    admitted: false,
    refusedBy: "perClient",
    limit: 3,
    remaining: 0,
  });
  expect(refusal.retryAfterUs).toBeGreaterThan(0);
  expect(limiter.decide("bob", NOW + 4)).toMatchObject({ admitted: true, refusedBy: null });
});

test("a shared limit counts all clients, and its refusal spends nothing of a client's own", () => {
  const limiter = createRateLimiter({
    algorithm: "fixed_window",
    perClient: { rate: 2, perUs: 10 * SECOND },
    shared: { rate: 1, perUs: SECOND },
  });
  expect(limiter.decide("alice", NOW).admitted).toBe(true);
  expect(limiter.decide("bob", NOW)).toMatchObject({ refusedBy: "shared", retryAfterUs: SECOND });
  expect(limiter.decide("bob", NOW + SECOND).admitted).toBe(true);
  expect(limiter.decide("bob", NOW + 2 * SECOND).admitted).toBe(true);
  expect(limiter.decide("bob", NOW + 3 * SECOND)).toMatchObject({ refusedBy: "perClient" });
});

test.each(ALGORITHMS)(
  "%s counts each client as if there were no other, also after its counter was dropped",
  (algorithm) => {
    const options: RateLimiterOptions = {
      algorithm,
      perClient: { rate: 3, perUs: SECOND },
      burst: 2,
      queue: 2,
    };
    const limiter = createRateLimiter(options);
    const alone = new Map<string, RateLimiter>();
    const random = rng(SEED, `library/${algorithm}`);
    let nowUs = NOW;
    for (let i = 0; i < 4_000; i++) {
      // Some clients return at once, and some when their rows may have been dropped and used again.
      nowUs += random.int(i % 500 === 0 ? 10 * SECOND : SECOND / 20);
      const name = `client ${random.int(random.int(2) === 0 ? 3 : 300)}`;
      const own = alone.get(name) ?? createRateLimiter(options);
      alone.set(name, own);
      const what = random.int(4) === 0 ? "evaluate" : "decide";
      expect(limiter[what](name, nowUs)).toEqual(own[what](name, nowUs));
    }
  },
);

test("evaluate decides as decide does, and spends nothing", () => {
  const limiter = createRateLimiter({
    algorithm: "sliding_log",
    perClient: { rate: 1, perUs: SECOND },
  });
  for (let i = 0; i < 3; i++) expect(limiter.evaluate("alice", NOW).admitted).toBe(true);
  expect(limiter.decide("alice", NOW).admitted).toBe(true);
  expect(limiter.evaluate("alice", NOW)).toMatchObject({ admitted: false, refusedBy: "perClient" });
});

test("a fixed window starts at the clock if it is configured so", () => {
  const limiter = createRateLimiter({
    algorithm: "fixed_window",
    fixedWindowStart: "clock",
    perClient: { rate: 1, perUs: SECOND },
  });
  expect(limiter.decide("alice", NOW + 900_000).admitted).toBe(true);
  expect(limiter.decide("alice", NOW + SECOND).admitted).toBe(true);
});

const perClient = { rate: 1, perUs: SECOND };
test.each<readonly [RateLimiterOptions, string]>([
  [{ algorithm: "gcra" }, "a limiter needs a limit: perClient, shared or both"],
  [{ algorithm: "none" as "gcra", perClient }, "algorithm is one of fixed_window, sliding_log"],
  [
    { algorithm: "gcra", perClient, burst: 0 },
    'burst is an integer of at least 1, or "rate", not 0',
  ],
  [
    { algorithm: "gcra", shared: { rate: 0.5, perUs: 1 } },
    "shared.rate is 0, or at least 1 with at most six decimals, not 0.5",
  ],
  [
    { algorithm: "gcra", perClient: { rate: 1, perUs: 1.5 } },
    "perClient.perUs is a number of whole microseconds, not 1.5",
  ],
])("%j is rejected", (options, sentence) => {
  expect(() => createRateLimiter(options)).toThrow(sentence);
});

test("a time that is not in whole microseconds is rejected", () => {
  const limiter = createRateLimiter({ algorithm: "gcra", perClient });
  expect(() => limiter.decide("alice", 0.5)).toThrow(
    "nowUs is a number of whole microseconds, not 0.5",
  );
});
