// The answer of weir try: each sentence goes or changes with its premise.
import { describe, expect, test } from "vitest";
import { micros } from "#src/kit/units.ts";
import { answerTry } from "#src/show/answers/try.ts";
import type { TryRow, UnansweredTry } from "#src/studies/try/result.ts";
import { behaviourCalled, type TryRetry } from "#src/studies/try/retries.ts";
import { runTry } from "./try-results.ts";

const LIMIT = { rate: 60, perUs: micros(60_000_000) };

const result = (retries: readonly TryRetry[], ...algorithms: readonly string[]): UnansweredTry =>
  runTry({
    clients: 3,
    population: "even",
    rate: 1,
    bursts: { count: 30, everyUs: micros(60_000_000), jitterUs: micros(0) },
    retries: retries.map((name) => ({ name, behaviour: behaviourCalled(name, LIMIT) })),
    isSequential: false,
    perAddress: null,
    forUs: micros(300_000_000),
    gateways: 1,
    limits: [LIMIT],
    limiters: algorithms.map((name) => ({ kind: "algorithm", name, burst: null })),
  });

const textOf = (facts: UnansweredTry, id: string): string | undefined =>
  answerTry(facts).find((sentence) => sentence.id === id)?.text;

const withRow = (
  facts: UnansweredTry,
  place: number,
  change: Partial<TryRow> | ((row: TryRow) => Partial<TryRow>),
): UnansweredTry => ({
  ...facts,
  candidates: facts.candidates.map((row, at) =>
    at === place ? { ...row, ...(typeof change === "function" ? change(row) : change) } : row,
  ),
});

const ALL = ["fixed_window", "sliding_log", "token_bucket", "sliding_window_counter"] as const;

describe("a choice between four limiters for two kinds of clients", () => {
  const [FIXED, BUCKET, BUCKET_ADVISED, SLOW] = [0, 4, 5, 6] as const;
  const ran = result(["backoff", "retry-after"], ...ALL);
  const { gaveUp, admitted, refusedAttempts } = ran.candidates[BUCKET]!;
  // The last one serves as many as the bucket, later, and never exceeds the limit.
  const facts = withRow(ran, SLOW, {
    gaveUp,
    admitted,
    refusedAttempts,
    successUs: { median: 60_000_000, p99: ran.candidates[BUCKET]!.successUs.p99 },
    mostInWindow: 60,
  });

  test("begins with the limiter to take, and its number against that of the next one", () => {
    const [first] = answerTry(facts);
    const [fixed, bucket] = [facts.candidates[FIXED]!, facts.candidates[BUCKET]!];
    expect(first).toEqual({
      id: "choice",
      text: `Take a token bucket: with clients that back off it refuses ${bucket.refusedAttempts.toLocaleString("en-US")} attempts, a fixed window ${fixed.refusedAttempts.toLocaleString("en-US")}.`,
      numbers: { refused: bucket.refusedAttempts, next: fixed.refusedAttempts },
    });
    const better = withRow(facts, FIXED, { refusedAttempts: 1, successUs: { median: 0, p99: 0 } });
    expect(textOf(better, "choice")).toMatch(/^Take a fixed window: with clients that back off /);
  });

  test("names the candidates that leave requests unadmitted, until they admit all", () => {
    expect(textOf(facts, "worse-unadmitted")).toMatch(
      / of 1,350 requests stay unadmitted with a sliding log\.$/,
    );
    const served = withRow(facts, 2, { gaveUp: 0, admitted: 1350 });
    expect(textOf(served, "worse-unadmitted")).toBeUndefined();
    expect(textOf(served, "worse-refused")).toContain("with a fixed window and a sliding log.");
  });

  test("names a candidate that waits longer, until it does not", () => {
    expect(textOf(facts, "worse-median")).toBe(
      "It takes at least 60 s to admit half of the requests with a sliding window counter.",
    );
    const quick = withRow(facts, SLOW, ({ successUs }) => ({
      successUs: { ...successUs, median: 0 },
    }));
    expect(textOf(quick, "worse-median")).toBeUndefined();
    const slow = withRow(facts, SLOW, ({ successUs }) => ({
      successUs: { ...successUs, p99: 1e9 },
    }));
    expect(textOf(slow, "worse-p99")).toBe(
      "It takes at least 1000 s to admit 99 % of the requests with a sliding window counter.",
    );
  });

  test("compares a limiter that lets requests wait with no other one", () => {
    const queued = result(["backoff"], "token_bucket", "leaky_bucket");
    expect(textOf(queued, "queue")).toMatch(
      /^A leaky bucket lets requests wait in the gateway instead: it refuses [\d,]+ attempts?, and half of the requests wait up to /,
    );
    expect(answerTry(queued)[0]!.text).not.toContain("leaky");
    expect(textOf(facts, "queue")).toBeUndefined();
    expect(answerTry(result(["backoff"], "leaky_bucket"))[0]!.text).toContain("leaky bucket");
  });

  test("has the price of the limiter, and the best one that keeps the limit", () => {
    expect(textOf(facts, "price")).toBe(
      "Its price: up to 90 of a client in one minute, where the limit is 60.",
    );
    expect(textOf(facts, "strict")).toMatch(
      /^Of those that never exceed 60, take a sliding window counter: it admits all 1,350 requests after [\d,]+ refused attempts, and half of the requests are admitted within 60 s\.$/,
    );
    const strict = withRow(facts, BUCKET, { mostInWindow: 60 });
    expect([textOf(strict, "price"), textOf(strict, "strict")]).toEqual([undefined, undefined]);
    expect(textOf(strict, "kept")).toBe(
      "It keeps the limit: at most 60 of a client in any minute.",
    );
  });

  test("has a sentence for the other clients, with the reason while the numbers show it", () => {
    expect(textOf(facts, "group")).toMatch(
      /^With clients that wait as Retry-After advises take a fixed window: it leaves none of 1,350 requests unadmitted, a token bucket [\d,]+\.$/,
    );
    expect(textOf(facts, "advice")).toMatch(
      /^The reason is Retry-After: half of its refusals advise 60 s or more; with a token bucket it is 1 s,/,
    );
    expect(textOf(withRow(facts, BUCKET_ADVISED, { retryAfterS: 60 }), "advice")).toBeUndefined();
    expect(textOf(withRow(facts, BUCKET_ADVISED, { gaveUp: 0 }), "group")).not.toContain(
      "unadmitted",
    );
  });

  test("states waits and a client that gets much less than the others", () => {
    expect(textOf(facts, "wait")).toMatch(/^Half of the requests do not wait, 99 % up to \d+ s\.$/);
    expect(
      textOf(withRow(facts, BUCKET, { successUs: { median: 0, p99: 0 } }), "wait"),
    ).toBeUndefined();
    expect(textOf(facts, "unfair")).toBeUndefined();
    expect(textOf(withRow(facts, BUCKET, { leastServed: 0.4 }), "unfair")).toBe(
      "One client gets only 40.0 % of its requests admitted, all clients together 100 %.",
    );
  });

  test("names the seed while something is random, and what an interrupted run may have missed", () => {
    expect(textOf(facts, "draw")).toContain("--seed 2 ");
    expect(textOf({ ...facts, retries: ["none", "retry-after"] }, "draw")).toBeUndefined();
    expect(textOf(facts, "missing")).toBeUndefined();
    expect(textOf({ ...facts, isInterrupted: true }, "missing")).toContain("interrupted");
  });

  test("ends with the command that decides a log by the limiter", () => {
    expect(textOf(facts, "next")).toMatch(
      / replay access\.log --limit 60\/1m --algorithm token_bucket$/,
    );
    const foreign = withRow(facts, BUCKET, { algorithm: null, profile: "nginx" });
    expect(textOf(foreign, "next")).toMatch(/ --limit 60\/1m --profile nginx$/);
  });
});

test("nothing separates candidates of which none refuses a request, until one does", () => {
  const facts = result(["none"], "fixed_window", "sliding_log");
  const idle = {
    ...facts,
    candidates: facts.candidates.map((row) => ({
      ...row,
      gaveUp: 0,
      admitted: row.requests,
      refusedAttempts: 0,
      mostInWindow: 59,
      successUs: { median: 0, p99: 0 },
    })),
  };
  expect(answerTry(idle).map(({ id }) => id)).toEqual([
    "no-difference",
    "unreached",
    "cost",
    "next",
  ]);
  expect(textOf(idle, "no-difference")).toBe(
    "Nothing separates the 2 candidates: each admits all 1,350 requests and refuses none.",
  );
  expect(textOf(withRow(idle, 0, { mostInWindow: 60 }), "unreached")).toBeUndefined();
  expect(
    textOf(withRow(withRow(idle, 0, { commands: 2 }), 1, { commands: 2 }), "cost"),
  ).toBeUndefined();
  expect(textOf(withRow(idle, 0, { gaveUp: 90, refusedAttempts: 90 }), "choice")).toBe(
    "Take a sliding log: it refuses none of 1,350 requests, a fixed window 90.",
  );
});

test("one limiter for several kinds of clients has its outcome for each", () => {
  const facts = result(["none", "backoff"], "token_bucket");
  const texts = answerTry(facts).map(({ text }) => text);
  expect(texts[0]).toMatch(/^Clients that back off are served best: a token bucket /);
  expect(texts[1]).toMatch(
    /^With clients that do not retry a token bucket refuses \d+ of 1,350 requests\.$/,
  );
  expect(texts[2]).toMatch(
    /^With clients that back off a token bucket admits all 1,350 requests after /,
  );
});
