// The answer of weir try: each sentence goes or changes with its premise.
import { describe, expect, test } from "vitest";
import { answerTry } from "#src/show/answers/try.ts";
import type { TryRow, UnansweredTry } from "#src/studies/try/result.ts";
import { ALL, questionOf, result, textOf, withRow } from "./try-premises.ts";
import { runTry } from "./try-results.ts";

describe("a choice between four limiters for two kinds of clients", () => {
  const [FIXED, LOG, BUCKET, BUCKET_ADVISED, SLOW] = [0, 2, 4, 5, 6] as const;
  const ran = result(["backoff", "retry-after"], ...ALL);
  const { gaveUp, admitted, refusedAttempts } = ran.candidates[BUCKET]!;
  // The last one serves as many as the bucket, later, and can never exceed the limit.
  const facts = withRow(ran, SLOW, {
    gaveUp,
    admitted,
    refusedAttempts,
    successUs: { median: 60_000_000, p99: ran.candidates[BUCKET]!.successUs.p99 },
    mostPossible: 60,
  });

  /** The answer about one kind of clients has room for more sentences. */
  const alone = (of: UnansweredTry, retry = "backoff"): UnansweredTry => ({
    ...of,
    retries: [retry],
    candidates: of.candidates.filter((row) => row.retry === retry),
  });
  const withoutLog = (of: UnansweredTry): UnansweredTry => {
    const only = alone(of);
    return { ...only, candidates: only.candidates.filter(({ algorithm }) => algorithm !== ALL[1]) };
  };

  /** Without the sentence about overload there is room for another one. */
  const calm = (of: UnansweredTry): UnansweredTry => ({
    ...of,
    candidates: of.candidates.map((row) => ({
      ...row,
      demand: { ...row.demand, over: 0, planned: 0, beyond: 0 },
    })),
  });

  test("begins with the limiter to take, and its number against that of the next one", () => {
    const first = answerTry(facts).find(({ id }) => id === "choice");
    const [fixed, bucket] = [facts.candidates[FIXED]!, facts.candidates[BUCKET]!];
    expect(first).toEqual({
      id: "choice",
      text: `Take a token bucket: in this draw with clients that back off it refuses ${bucket.refusedAttempts.toLocaleString("en-US")} attempts, a fixed window ${fixed.refusedAttempts.toLocaleString("en-US")}.`,
      numbers: { refused: bucket.refusedAttempts, next: fixed.refusedAttempts },
    });
    const better = withRow(facts, FIXED, { refusedAttempts: 1, successUs: { median: 0, p99: 0 } });
    expect(textOf(better, "choice")).toMatch(
      /^Take a fixed window: in this draw with clients that back off /,
    );
    const even = result(["retry-after"], ...ALL);
    expect(textOf(even, "choice")).not.toContain("in this draw");
    const random = runTry({ ...questionOf(["retry-after"], ALL), population: "random" });
    expect(textOf(random, "choice")).toContain("in this draw");
  });

  test("states what no limiter can change next, while clients plan more than the limit allows", () => {
    const outcome = answerTry(result(["backoff"], "gcra"));
    expect([answerTry(facts)[0]!.id, outcome[0]!.id]).toEqual(["choice", "outcome"]);
    expect(answerTry(facts).find(({ id }) => id === "overload")).toEqual({
      id: "overload",
      text: "Each client sends 90 requests per minute, and the limit is 60: in the long run any limiter has to refuse or delay 33 % of all requests.",
      numbers: { sent: 90, rate: 60, perUs: 60_000_000, over: 3, budgets: 3, share: 1 / 3 },
    });
    expect(textOf({ ...facts, retries: ["none"] }, "overload")).toContain("has to refuse 33 %");
    expect(textOf({ ...facts, perAddress: 1 }, "overload")).toMatch(/^Each address sends 90 /);
    const demand = { budgets: 3, over: 1, planned: 450, beyond: 150 };
    expect(textOf(withRow(facts, BUCKET, { demand }), "overload")).toMatch(
      /^1 of 3 clients sends more than the limit of 60 per minute: .* 11 % of all requests\.$/,
    );
    const few = withRow(facts, BUCKET, { demand: { ...demand, beyond: 13 } });
    expect(textOf(few, "overload")).toBeUndefined();
    const some = withRow(facts, BUCKET, { demand: { ...demand, beyond: 67 } });
    expect(textOf(some, "overload")).toContain(" 5 % of all requests");
    expect(textOf({ ...some, population: "random" }, "overload")).toBeUndefined();
    expect(textOf({ ...facts, forUs: 119_000_000 }, "overload")).toBeUndefined();
  });

  test("counts as equal under overload what differs by the budgets at the start", () => {
    const none = result(["none"], "fixed_window", "token_bucket");
    const [{ gaveUp: least }] = none.candidates as readonly [TryRow];
    const more = (count: number): UnansweredTry =>
      withRow(none, 1, { gaveUp: count, refusedAttempts: count, admitted: 1350 - count });
    const slack = Math.floor(least / 10) + 3 * 60;
    expect(textOf(more(least + slack), "open")).toBe(
      `For now take a fixed window: it refuses ${least} of 1,350 requests, a token bucket ${least + slack}; budgets that are full at the start explain up to 180 of the difference, and --for 20m shows whether the rest lasts.`,
    );
    expect(textOf(more(least + slack + 1), "choice")).toMatch(/^Take a fixed window: /);
    const short = { ...more(least + slack), forUs: 119_000_000 };
    expect(textOf(short, "choice")).toMatch(/^Take a fixed window: /);
  });

  test("states why candidates that count refused requests admit so little, while they do", () => {
    expect(textOf(alone(facts), "counted")).toMatch(
      /^A sliding log admits only [\d.]+ %: it counts refused requests too, /,
    );
    expect(textOf(alone(facts), "worse-unadmitted")).toBeUndefined();
    const half = withRow(facts, LOG, { admitted: 1350 / 2, gaveUp: 1350 / 2 });
    expect(textOf(alone(half), "counted")).toBeUndefined();
    expect(textOf(alone(half), "worse-unadmitted")).toBe(
      "675 of 1,350 requests stay unadmitted with a sliding log.",
    );
    const other = withRow(facts, LOG, { algorithm: "drl" });
    expect(textOf(alone(other), "counted")).toBeUndefined();
    const served = withRow(facts, LOG, { gaveUp: 0, admitted: 1350 });
    expect(textOf(served, "worse-unadmitted")).toBeUndefined();
    expect(textOf(alone(served), "worse-refused")).toContain(
      "with a fixed window and a sliding log.",
    );
  });

  test("names a candidate that waits longer, until it does not", () => {
    expect(textOf(calm(withoutLog(facts)), "worse-median")).toBe(
      "With a sliding window counter, half of the requests are admitted only after 60 s.",
    );
    const quick = withRow(facts, SLOW, ({ successUs }) => ({
      successUs: { ...successUs, median: 0 },
    }));
    expect(textOf(calm(withoutLog(quick)), "worse-median")).toBeUndefined();
    const slow = withRow(facts, SLOW, ({ successUs }) => ({
      successUs: { ...successUs, p99: 1e9 },
    }));
    expect(textOf(calm(withoutLog(slow)), "worse-p99")).toBe(
      "With a sliding window counter, 99 % of the requests are admitted only after 1000 s.",
    );
  });

  test("compares a limiter that lets requests wait with no other one", () => {
    const queued = result(["backoff"], "token_bucket", "leaky_bucket");
    expect(textOf(queued, "queue")).toMatch(
      /^A leaky bucket lets requests wait in the gateway instead: it refuses [\d,]+ attempts?, and half of the requests wait up to /,
    );
    expect(textOf(queued, "outcome")).not.toContain("leaky");
    expect(textOf(facts, "queue")).toBeUndefined();
    expect(textOf(result(["backoff"], "leaky_bucket"), "outcome")).toContain("leaky bucket");
  });

  test("names those that do the same, up to three of them in the first sentence", () => {
    const even = (...algorithms: readonly string[]): UnansweredTry =>
      runTry({ ...questionOf(["none"], algorithms), rate: 1 });
    const counter = "sliding_window_counter";
    expect(textOf(even("fixed_window", "gcra", counter), "choice")).toBe(
      "Take GCRA or a fixed window, which do the same: each refuses none of 900 requests, a sliding window counter 12.",
    );
    const four = even("fixed_window", "gcra", "drl", "sliding_log", counter);
    expect(textOf(four, "choice")).toBe(
      "Take any but a sliding window counter: each of the 4 others refuses none of 900 requests, a sliding window counter 12.",
    );
    const worse = {
      ...four,
      candidates: [...four.candidates, ...four.candidates.slice(4), ...four.candidates.slice(4)],
    };
    expect(textOf(worse, "choice")).toMatch(/^Take GCRA, or one of 3 that do the same: each /);
    expect(textOf(worse, "same")).toBe("The same here: a fixed window, DRL and a sliding log.");
    const other = withRow(four, 0, { successUs: { median: 0, p99: 1 } });
    expect(textOf(other, "choice")).toBe(textOf(four, "choice"));
  });

  test("counts a difference only if each draw has it", () => {
    const drawn = runTry(
      { ...questionOf(["none"], ["fixed_window", "token_bucket"]), rate: 1, population: "random" },
      { draws: 2 },
    );
    expect(textOf(drawn, "choice")).toMatch(
      /^Take a token bucket: it refuses none of about \d+ requests, a fixed window \d+ to \d+\.$/,
    );
    const [window] = drawn.candidates as readonly [TryRow];
    const otherDraws = window.otherDraws.map((draw) => ({
      ...draw,
      gaveUp: 0,
      refusedAttempts: 0,
      successUs: { median: 0, p99: 0 },
    }));
    const once = withRow(drawn, 0, { otherDraws });
    expect(textOf(once, "choice")).toBeUndefined();
    expect(textOf(once, "no-difference")).toMatch(
      /^Nothing separates the 2 limiters: each refuses 0 to \d+ of about \d+ requests\.$/,
    );
  });

  test("states the default of GCRA while that is left out for it", () => {
    const gcra = result(["none"], "token_bucket", "gcra");
    const facts = withRow(gcra, 1, { gaveUp: 900, refusedAttempts: 900 });
    expect(textOf(facts, "burst")).toBe(
      "GCRA has its default here, one request at once: --burst 60 allows as many as the limit.",
    );
    expect(textOf(withRow(facts, 1, { burst: 60 }), "burst")).toBeUndefined();
    expect(textOf(withRow(facts, 1, gcra.candidates[0]!), "burst")).toBeUndefined();
  });

  test("has the price of the limiter, and the best one that keeps the limit", () => {
    expect(textOf(facts, "price")).toBe(
      "A token bucket may admit up to 119 of a client in one minute, as may a fixed window; 90 were seen, and the limit is 60.",
    );
    expect(textOf(withRow(facts, FIXED, { mostPossible: 120 }), "price")).toContain(
      " in one minute, a fixed window 120; 90 ",
    );
    expect(textOf(withRow(facts, FIXED, { mostPossible: null }), "price")).toContain(
      " in one minute; 90 ",
    );
    expect(textOf(alone(facts), "strict")).toMatch(
      /^If a client must never get more than 60 in one minute, take a sliding window counter: it admits all 1,350 requests after [\d,]+ refused attempts, and half of the requests are admitted within 60 s\.$/,
    );
    expect(textOf(withRow(facts, BUCKET, { mostInWindow: 60 }), "kept")).toBeUndefined();
    const strict = withRow(facts, BUCKET, { mostPossible: 60 });
    expect([textOf(strict, "price"), textOf(strict, "strict")]).toEqual([undefined, undefined]);
    expect(textOf(strict, "kept")).toBe(
      "A token bucket never admits more than 60 of a client in any minute.",
    );
    expect(textOf(withRow(facts, BUCKET, { mostPossible: null }), "seen")).toBe(
      "With a token bucket a client got up to 90 in one minute, and the limit is 60; with other traffic it may be more.",
    );
    const strictFixed = withRow(withRow(facts, SLOW, { mostPossible: 119 }), FIXED, {
      mostPossible: 60,
    });
    expect(textOf(alone(strictFixed), "strict")).toMatch(
      /^If a client must never get more than 60 in one minute, take a fixed window: it admits all 1,350 requests /,
    );
    const seen = withRow(facts, BUCKET, { mostPossible: null });
    expect(textOf(alone(seen), "strict")).toMatch(/^If a client must never get more than 60 /);
    expect(textOf(alone(withRow(seen, BUCKET, { mostInWindow: 60 })), "strict")).toBeUndefined();
  });

  test("names a strict limiter briefly if the first sentence has all that it refuses", () => {
    const once = withRow(result(["none"], "token_bucket", "gcra"), 1, {
      gaveUp: 900,
      refusedAttempts: 900,
    });
    expect(textOf(once, "strict")).toBe(
      "If a client must never get more than 60 in one minute, take GCRA (its default: one request at once).",
    );
    expect(textOf(once, "choice")).toContain(", GCRA ");
    expect(textOf(withRow(once, 1, { burst: 1 }), "strict")).toMatch(/, take GCRA\.$/);
  });

  test("has a sentence for the other clients, with the reason while the numbers show it", () => {
    expect(textOf(facts, "group")).toMatch(
      /^With clients that wait as Retry-After advises, take a fixed window: it admits all 1,350 requests, a token bucket leaves [\d,]+ unadmitted\.$/,
    );
    expect(textOf(alone(facts, "retry-after"), "advice")).toMatch(
      /^The cause is Retry-After: half of the refusals of a fixed window advise 44 s or more, of a token bucket 1 s,/,
    );
    const advised = withRow(facts, BUCKET_ADVISED, { retryAfterS: 44 });
    expect(textOf(alone(advised, "retry-after"), "advice")).toBeUndefined();
    expect(textOf(withRow(facts, BUCKET_ADVISED, { gaveUp: 0 }), "group")).not.toContain(
      "unadmitted",
    );
  });

  test("states waits and a client that gets much less than the others", () => {
    expect(textOf(withoutLog(facts), "wait")).toMatch(
      /^With a token bucket half of the requests do not wait, and 99 % wait up to \d+ s\.$/,
    );
    expect(
      textOf(alone(withRow(facts, BUCKET, { successUs: { median: 0, p99: 0 } })), "wait"),
    ).toBeUndefined();
    const { requests } = facts.candidates[BUCKET]!;
    const only = (change: Partial<TryRow>): UnansweredTry => {
      const changed = withRow(facts, BUCKET, change);
      return { ...changed, retries: ["backoff"], candidates: [changed.candidates[BUCKET]!] };
    };
    const late = { admitted: 0.702 * requests, successUs: { median: 99_000_000, p99: null } };
    expect(textOf(only(late), "wait")).toBe(
      "With a token bucket half of the requests wait up to 99 s, and only 70.2 % are ever admitted.",
    );
    const never = { admitted: 0.302 * requests, successUs: { median: null, p99: null } };
    expect(textOf(only(never), "wait")).toBe(
      "With a token bucket only 30.2 % of the requests are ever admitted.",
    );
    expect(textOf(facts, "unfair")).toBeUndefined();
    expect(textOf(calm(alone(withRow(facts, BUCKET, { leastServed: 0.4 }))), "unfair")).toBe(
      "With a token bucket one client gets only 40.0 % of its requests admitted, all clients together 100 %.",
    );
  });

  test("names the seed while something is random, and what an interrupted run may have missed", () => {
    expect(textOf(facts, "draw")).toContain("--draws 5");
    const drawn = runTry(questionOf(["backoff"], ALL), { draws: 3 });
    expect(textOf(drawn, "draws")).toBe(
      "Each difference named here is in all 3 draws of the random times (seeds 1 to 3).",
    );
    expect(textOf(runTry(questionOf(["backoff"], ["gcra"]), { draws: 2 }), "draws")).toBe(
      "This holds in both draws of the random times (seeds 1 to 2).",
    );
    expect(textOf(alone(facts, "retry-after"), "draw")).toBeUndefined();
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
      demand: { ...row.demand, over: 0, planned: 0, beyond: 0 },
      mostInWindow: 59,
      successUs: { median: 0, p99: 0 },
      leastServed: 1,
    })),
  };
  expect(answerTry(idle).map(({ id }) => id)).toEqual([
    "idle",
    "bounds",
    "commands",
    "advised",
    "exact",
    "next",
  ]);
  expect(textOf(idle, "idle")).toBe(
    "Nothing is refused, so either limiter will do: a client sends up to 59 in any minute, and the limit is 60.",
  );
  expect(textOf(idle, "bounds")).toBe(
    "Choose by the worst case: a sliding log never admits more than 60 of a client in any minute; a fixed window may admit up to 119.",
  );
  expect(textOf(withRow(idle, 0, { mostInWindow: 61 }), "no-difference")).toBe(
    "Nothing separates the 2 limiters: each admits all 1,350 requests and refuses none.",
  );
  expect(textOf(withRow(idle, 0, { gaveUp: 90, refusedAttempts: 90 }), "choice")).toBe(
    "Take a sliding log: it refuses none of 1,350 requests, a fixed window 90.",
  );
});

test("one limiter for several kinds of clients has its outcome for each", () => {
  const facts = result(["none", "backoff"], "token_bucket");
  const texts = answerTry(facts).map(({ text }) => text);
  expect(texts[0]).toMatch(/^Clients that back off are served best: a token bucket /);
  expect(texts[1]).toMatch(
    /^With clients that do not retry, a token bucket refuses \d+ of 1,350 requests\.$/,
  );
  expect(texts[2]).toMatch(
    /^With clients that back off, a token bucket admits all 1,350 requests after /,
  );
});
