// The answer of weir try about limiters that are about as good: what still differs is named with its size.
import { expect, test } from "vitest";
import { micros } from "#src/kit/units.ts";
import type { TryRow, UnansweredTry } from "#src/studies/try/result.ts";
import { ALL, questionOf, result, textOf, withRow } from "./try-premises.ts";
import { runTry } from "./try-results.ts";

test("names a small difference with its size, if each draw has it", () => {
  const none = runTry(
    {
      ...questionOf(["none"], ["fixed_window", "token_bucket"]),
      rate: 0.5,
      population: "random",
    },
    { draws: 2 },
  );
  const [window, bucket] = none.candidates as readonly [TryRow, TryRow];
  const set = (row: TryRow, counts: readonly [number, number]): TryRow => ({
    ...row,
    requests: 400,
    gaveUp: counts[0],
    refusedAttempts: counts[0],
    successUs: { median: 0, p99: 0 },
    otherDraws: row.otherDraws.map((draw) => ({
      ...draw,
      requests: 400,
      gaveUp: counts[1],
      refusedAttempts: counts[1],
      successUs: { median: 0, p99: 0 },
    })),
  });
  const of = (counts: readonly [number, number]): UnansweredTry => ({
    ...none,
    candidates: [set(window, counts), set(bucket, [2, 2])],
  });
  expect(textOf(of([5, 10]), "little")).toBe(
    "Take either: a token bucket refuses 2 of 400 requests, a fixed window 5 to 10 (0.8 % to 2.0 % of all more, in every draw).",
  );
  const { candidates } = of([5, 10]);
  const once = candidates.map((row) => ({ ...row, otherDraws: [] }));
  expect(textOf({ ...none, candidates: once }, "little")).toMatch(/ \(0\.8 % of all more\)\.$/);
  const log = { ...set(bucket, [200, 200]), algorithm: "sliding_log" };
  const worse = { ...none, candidates: [...candidates, log] };
  expect(textOf(worse, "little")).toBeUndefined();
  expect(textOf(worse, "choice")).toMatch(/^Take a token bucket: .+, a sliding log 200\.$/);
  expect(textOf(of([2, 10]), "little")).toBeUndefined();
  expect(textOf(of([2, 10]), "no-difference")).toContain("each refuses 2 to 10 ");
  expect(textOf(of([9, 10]), "choice")).toMatch(/^Take a token bucket: /);
});

test("separates what the budgets of the start give once from the long run", () => {
  const none = result(["none"], "fixed_window", "token_bucket", "leaky_bucket");
  expect(textOf(none, "steady")).toBe(
    "Choose between a token bucket and a fixed window by Retry-After, not by refusals: in the long run each refuses 33 % of the requests; at the start a token bucket admits 59 more of each client, once.",
  );
  expect(textOf(none, "next")).toMatch(/^Test one of them, such as a token bucket, on a log of /);
  expect(textOf(none, "queue")).toMatch(/^A leaky bucket .* half of the requests wait up to /);
  const { overTime } = none.candidates[0]!;
  const late = overTime.refused.map((count, bin) => (bin < 30 ? count : count + 1));
  const lasting = withRow(none, 0, { overTime: { ...overTime, refused: late } });
  expect(textOf(lasting, "steady")).toBeUndefined();
  expect(textOf(lasting, "open")).toMatch(
    /^For now take a token bucket: it refuses .*, a fixed window /,
  );
  const strict = withRow(lasting, 0, { mostPossible: 60 });
  expect(textOf(strict, "bounds")).toMatch(/^Choose by the worst case: a fixed window never /);
  const early = overTime.refused.map((count, bin) => (bin < 30 ? count + 1 : count));
  const changed = withRow(none, 0, { overTime: { ...overTime, refused: early } });
  expect(textOf(changed, "steady")).toContain("each refuses 33 %");
  const longer = runTry({ ...questionOf(["none"], ALL), forUs: micros(1_800_000_000) });
  expect(textOf(longer, "steady")).toMatch(/ at the start a token bucket admits 59 more /);
  const more = withRow(none, 0, ({ gaveUp }) => ({ gaveUp: gaveUp + 6 }));
  expect(textOf(more, "steady")).toBeUndefined();
});

test("states the number of each limiter that is about as good", () => {
  const none = result(["none"], "fixed_window", "token_bucket", "sliding_window_counter");
  const [, bucket] = none.candidates as readonly [TryRow, TryRow];
  const gaveUp = bucket.gaveUp + 190;
  const facts = withRow(none, 2, { gaveUp, refusedAttempts: gaveUp });
  expect(textOf(facts, "similar")).toBe(
    `About as good here: a sliding window counter (${gaveUp}).`,
  );
  const equal = withRow(none, 2, none.candidates[0]!);
  expect(textOf(equal, "similar")).toBeUndefined();
});

test("names a limiter that does better for one kind of clients than the one for both", () => {
  const both = result(["none", "retry-after"], "fixed_window", "token_bucket", "sliding_log");
  const [WINDOW, WINDOW_ADVISED, BUCKET, BUCKET_ADVISED] = [0, 1, 2, 3] as const;
  const setAdvised = (of: UnansweredTry, place: number, refusedAttempts: number): UnansweredTry =>
    withRow(of, place, { gaveUp: 0, refusedAttempts, successUs: { median: 0, p99: 0 } });
  const withWindow = (gaveUp: number): UnansweredTry =>
    withRow(setAdvised(setAdvised(both, WINDOW_ADVISED, 100), BUCKET_ADVISED, 900), WINDOW, {
      gaveUp,
      refusedAttempts: gaveUp,
    });
  const { gaveUp: least } = both.candidates[BUCKET]!;
  expect(textOf(withWindow(least + 50), "choice")).toMatch(
    /^Take a fixed window: with clients that do not retry /,
  );
  expect(textOf(withWindow(least + 50), "better")).toBe(
    `With clients that do not retry a token bucket does better: it refuses ${least} of 1,350 requests.`,
  );
  expect(textOf(withWindow(least), "better")).toBeUndefined();
});

test("takes those that do about the same too, if no draw separates them by what decides", () => {
  const algorithms = ["fixed_window", "drl", "sliding_log", "token_bucket", "gcra"] as const;
  const drawn = runTry(
    { ...questionOf(["none"], algorithms), rate: 0.5, population: "random" },
    { draws: 2 },
  );
  const [window] = drawn.candidates as readonly [TryRow];
  const of = (...counts: readonly (readonly [number, number])[]): UnansweredTry => ({
    ...drawn,
    candidates: counts.map(([first, second], at) => {
      const set = (count: number) => ({ requests: 400, gaveUp: count, refusedAttempts: count });
      const others = window.otherDraws.map((draw) => ({ ...draw, ...set(second) }));
      return { ...window, ...set(first), algorithm: algorithms[at]!, otherDraws: others };
    }),
  });
  expect(textOf(of([10, 10], [11, 10], [90, 90]), "choice")).toBe(
    "Take a fixed window or DRL, which do about the same: each refuses 10 to 11 of 400 requests, a sliding log 90.",
  );
  expect(textOf(of([10, 10], [11, 11], [90, 90]), "choice")).toBe(
    "Take a fixed window: it refuses 10 of 400 requests, a sliding log 90.",
  );
  const four = of([10, 10], [10, 10], [10, 10], [11, 10], [90, 90]);
  expect(textOf(four, "choice")).toBe(
    "Take any but GCRA: each of the 4 others refuses 10 to 11 of 400 requests, GCRA 90.",
  );
  expect(textOf(four, "next")).toMatch(/^Test one of them, such as a fixed window, on a log /);
  expect(textOf(of([10, 10], [90, 90]), "next")).toMatch(/^Test it on a log /);
  const left = of([10, 10], [70, 70], [80, 80], [90, 90]);
  expect(textOf(left, "worse-unadmitted")).toMatch(/^70 to 90 of 400 requests are refused with /);
  const many = of([10, 10], [70, 70], [80, 80], [90, 90], [99, 99]);
  expect(textOf(many, "worse-unadmitted")).toBeUndefined();
  expect(textOf(four, "bounds")).toContain("a token bucket");
  expect(textOf(four, "similar")).toBeUndefined();
  const worse = of([10, 10], [10, 10], [10, 10], [11, 11], [90, 90]);
  expect(textOf(worse, "choice")).toMatch(
    /^Take a fixed window, DRL or a sliding log, which do the same: /,
  );
  expect(textOf(worse, "similar")).toBe("About as good here: a token bucket (11).");
});
