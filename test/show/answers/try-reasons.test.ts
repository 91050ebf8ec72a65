// The answer of weir try about why one limiter is better than the next, when that one is, and what decides otherwise.
import { expect, test } from "vitest";
import { answerTry } from "#src/show/answers/try.ts";
import type { UnansweredTry } from "#src/studies/try/result.ts";
import { result, textOf, withRow } from "./try-premises.ts";

const [FIXED, BUCKET] = [0, 1] as const;

test("the cause is how budget is returned, or what was let through, or Retry-After; none if they are alike", () => {
  const ran = result(["backoff"], "fixed_window", "token_bucket");
  const many = ran.candidates[BUCKET]!.refusedAttempts * 10;
  const facts = withRow(ran, FIXED, { refusedAttempts: many });
  expect(
    answerTry(facts)
      .map(({ id }) => id)
      .slice(0, 2),
  ).toEqual(["choice", "cause"]);
  expect(textOf(facts, "cause")).toBe(
    "The cause: a token bucket returns budget request by request as time passes, a fixed window only when a window ends.",
  );
  const slow = withRow(facts, FIXED, { algorithm: "gcra" });
  expect(textOf(slow, "cause")).toContain(", GCRA for one request at a time, 1 s after the last.");
  const alike = { algorithm: "gcra", burst: "rate" as const, mostInWindow: 59 };
  const seen = Math.max(ran.candidates[BUCKET]!.mostInWindow, 60);
  const burst = withRow(withRow(facts, FIXED, alike), BUCKET, { mostInWindow: seen });
  expect(textOf(burst, "cause")).toBe(
    `The cause: a token bucket let up to ${seen} of a client through in one minute, GCRA 59.`,
  );
  const profile = withRow(burst, FIXED, { algorithm: null, profile: "nginx", mostPossible: null });
  expect(textOf(profile, "cause")).toContain(" in one minute, nginx 59.");
  expect(textOf(withRow(burst, FIXED, { mostInWindow: seen }), "cause")).toBeUndefined();
  const fleet: UnansweredTry = { ...withRow(facts, FIXED, { algorithm: "drl" }), gateways: 3 };
  expect(textOf(fleet, "cause")).toMatch(
    / window ends, and each of 3 gateways has its own share\.$/,
  );
});

test("the limiter that is left out is better where each draw has it better, and nowhere else", () => {
  const ran = result(["backoff"], "fixed_window", "token_bucket");
  const { gaveUp, successUs, peakSent, refusedAttempts } = ran.candidates[BUCKET]!;
  const base = withRow(ran, FIXED, {
    refusedAttempts: refusedAttempts * 10,
    gaveUp,
    successUs,
    peakSent,
  });
  expect(textOf(base, "choice")).toMatch(/^Take a token bucket: /);
  expect(textOf(base, "instead")).toBeUndefined();
  const served = withRow(base, BUCKET, { gaveUp: 100 }); // the budgets of the start excuse it
  expect(textOf(withRow(served, FIXED, { gaveUp: 80 }), "instead")).toBe(
    "A fixed window is better if admitted requests count more than refused attempts (80 of 1,350 requests stay unadmitted, with a token bucket 100).",
  );
  expect(textOf(withRow(served, FIXED, { gaveUp: 95 }), "instead")).toBeUndefined();
  const quick = withRow(base, BUCKET, { successUs: { median: 9_000_000, p99: 60_000_000 } });
  expect(
    textOf(withRow(quick, FIXED, { successUs: { median: 0, p99: 60_000_000 } }), "instead"),
  ).toBe(
    "A fixed window is better if half of the requests must not wait (they are admitted at once, with a token bucket within 9 s).",
  );
  expect(textOf(withRow(base, BUCKET, { peakSent: 2 * peakSent }), "instead")).toBeUndefined();
  expect(textOf(withRow(base, BUCKET, { peakSent: 2 * peakSent + 1 }), "instead")).toBe(
    `A fixed window is better if many attempts at once do harm (${peakSent} in one second, with a token bucket ${2 * peakSent + 1}).`,
  );
});

test("a limiter that starves its clients is better by nothing", () => {
  const ran = result(["backoff"], "sliding_log", "token_bucket");
  const peaks = withRow(withRow(ran, 0, { peakSent: 1 }), BUCKET, { peakSent: 9 });
  expect([textOf(peaks, "counted") === undefined, textOf(peaks, "instead")]).toEqual([
    false,
    undefined,
  ]);
  const served = withRow(peaks, 0, ({ requests }) => ({ admitted: requests }));
  expect(textOf(served, "instead")).toContain("if many attempts at once do harm (1 in one second");
});

test("what else differs decides between limiters that refuse alike, with its figures", () => {
  const shared = result(["none"], "fixed_window", "token_bucket", "drl");
  const none = withRow(shared, 2, { algorithm: "gcra", mostPossible: 60 });
  const facts = none.candidates.reduce(
    (of, _, at) => withRow(of, at, { commands: 2.5, peakAdmitted: 9, retryAfterS: 20 }),
    none,
  );
  expect(textOf(facts, "bounds")).toBe(
    "By the worst case: GCRA never admits more than 60 of a client in any minute; a token bucket and a fixed window may admit up to 119.",
  );
  for (const id of ["commands", "served", "advised"]) expect(textOf(facts, id)).toBeUndefined();
  expect(textOf(withRow(facts, BUCKET, { commands: 0 }), "commands")).toBe(
    "Or by commands of the store: with a token bucket 0 for each attempt, with the others 2.5.",
  );
  expect(textOf(withRow(facts, BUCKET, { commands: null }), "commands")).toBeUndefined();
  expect(textOf(withRow(facts, BUCKET, { commands: 2 }), "commands")).toBeUndefined();
  expect(textOf(withRow(facts, FIXED, { peakAdmitted: 14 }), "served")).toBe(
    "Or by the busiest second of the upstream: with a token bucket and GCRA it gets 9 requests, with a fixed window 14.",
  );
  expect(textOf(withRow(facts, FIXED, { peakAdmitted: 13 }), "served")).toBeUndefined();
  expect(textOf(withRow(facts, FIXED, { retryAfterS: 30 }), "advised")).toBe(
    "Or by Retry-After: its median is 20 s with a token bucket and GCRA, and 30 s with a fixed window.",
  );
  const loose = withRow(facts, 2, { mostPossible: 119 });
  expect(textOf(loose, "bounds")).toMatch(
    /^A token bucket, a fixed window and GCRA may admit up to 119 /,
  );
  expect(textOf(withRow(loose, FIXED, { commands: 9 }), "commands")).toMatch(/^By commands /);
});

test("more refusals than the limit needs have a cause: a full budget, unless each limiter counts refusals", () => {
  const facts = result(["none"], "fixed_window", "token_bucket");
  const refusing = (share: number, algorithm?: string): UnansweredTry => ({
    ...facts,
    retries: ["none"],
    candidates: facts.candidates.map((row) => ({
      ...row,
      ...(algorithm === undefined ? {} : { algorithm }),
      retry: "none",
      gaveUp: Math.round(share * row.requests),
      otherDraws: [],
    })),
  });
  const idle = /; here .+ refuses 90 %, since a full budget gains nothing between bursts\.$/;
  expect(textOf(refusing(0.9), "overload")).toMatch(idle);
  expect(textOf(refusing(0.35), "overload")).toMatch(/ 33 % of all requests\.$/);
  expect(textOf(refusing(0.9, "sliding_log"), "overload")).toMatch(/ 33 % of all requests\.$/);
});

test("clients that do not retry are served at once or never, so that their waits decide nothing", () => {
  const none = result(["none"], "token_bucket", "sliding_window_counter");
  const { gaveUp } = none.candidates[0]!;
  const wait = (median: number | null) => ({
    gaveUp,
    refusedAttempts: gaveUp,
    successUs: { median, p99: null },
  });
  const facts = withRow(withRow(none, 0, wait(0)), 1, wait(null));
  expect(textOf(facts, "choice")).toBeUndefined();
  expect(
    textOf(
      { ...facts, candidates: facts.candidates.map((row) => ({ ...row, retry: "backoff" })) },
      "choice",
    ),
  ).toContain("a sliding window counter never.");
});

test("names a limiter with a queue where that never exceeds the limit and admits more", () => {
  const queued = result(["backoff"], "token_bucket", "gcra", "leaky_bucket");
  expect(textOf(queued, "strict-queue")).toMatch(
    /^If a client must never get more than 60 in one minute, take a leaky bucket, in which requests wait: it .* refuse[sd] .* half of the requests are admitted within [\d.]+ s\.$/,
  );
  expect(textOf(queued, "queue")).toBeUndefined();
  const worse = withRow(queued, 2, { gaveUp: 1000, refusedAttempts: 90_000 });
  expect(textOf(worse, "strict")).toMatch(/, take GCRA \(its default: one request at once\): /);
  expect(textOf(worse, "strict-queue")).toBeUndefined();
});
