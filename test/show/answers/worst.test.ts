// The answer of weir worst: each sentence goes or changes with its premise, and states what the document has.
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { ALGORITHMS } from "#src/limiter/core/algorithms.ts";
import type { AnswerSentence } from "#src/lab/report/answer.ts";
import { answerWorst } from "#src/show/answers/worst.ts";
import type { WorstCaseQuestion } from "#src/studies/worst/question.ts";
import { buildWorst, type UnansweredWorstCase } from "#src/studies/worst/result.ts";
import { micros } from "#src/kit/units.ts";
import { findWorst, milliseconds, question } from "../../studies/worst/questions.ts";
import { holdsUntil } from "../../runs.ts";

const resultOf = async (
  parts: Partial<WorstCaseQuestion>,
  units = 100,
): Promise<UnansweredWorstCase> => buildWorst(question(parts), 1, await findWorst(parts, units));

const textOf = (facts: UnansweredWorstCase, id: string): string | undefined =>
  answerWorst(facts).find((sentence) => sentence.id === id)?.text;

test("a limit that is exceeded has the most, the traffic, the cause, the bound and the next step", async () => {
  const facts = await resultOf({ algorithm: "fixed_window" });
  expect(
    answerWorst(facts).map(({ text }) => text.replace(/: \S.* worst --/, ": weir worst --")),
  ).toEqual([
    "Up to 9 requests can get through a fixed window of 5 per second in one second: 4 at once and 5 more 100 ms later.",
    "One request opens a window, 4 more are sent before it ends and 5 after it, and the next window begins with its whole budget.",
    "More is impossible: this traffic reaches the bound of 9 (2 x 5 - 1) that requirement LIM-C11 proves.",
    "That is for windows that begin with a request; by the clock they allow 10: --fixed-window-start clock.",
    "Plan the upstream for 9 per second of each key, or compare with a sliding log: weir worst --algorithm sliding_log --rate 5 --per 1s",
  ]);
  const [before, after] = facts.window;
  expect(textOf({ ...facts, window: [before!, { ...after!, count: 6 }] }, "cause")).toBeUndefined();
});

test("a limit that is kept has no cause and no next step", async () => {
  const facts = await resultOf({ algorithm: "sliding_log" });
  expect(answerWorst(facts).map(({ id }) => id)).toEqual(["most", "bound"]);
  expect(textOf(facts, "most")).toBe(
    "No more than 5 requests can get through a sliding log of 5 per second in any second.",
  );
  expect(textOf({ ...facts, most: 6 }, "next")).toBe(
    "Plan the upstream for 6 per second of each key.",
  );
  const ofApi = { ...facts, most: 6, question: { ...facts.question, level: "api" } } as const;
  expect(textOf(ofApi, "next")).toBe("Plan the upstream for 6 per second.");
});

test("a sliding window counter has the bound of its definition, which no requirement states", async () => {
  const facts = await resultOf({ algorithm: "sliding_window_counter" });
  expect([facts.most, facts.bound.most]).toEqual([9, null]);
  expect(textOf(facts, "most")).toMatch(/^Up to 9 requests can get through /);
  expect(textOf(facts, "bound")).toBe(
    "More is impossible: the definition of the algorithm admits at most 9: of the 5 of the window before, a part still counts (LIM-C11 gives a measured error instead), and this traffic reaches that.",
  );
  expect(textOf(facts, "search")).toBeUndefined();
  const less = { ...facts, most: 8 };
  expect(textOf(less, "most")).toMatch(/^At least 8 /);
  expect(textOf(less, "bound")).toMatch(
    /^The definition of the algorithm admits at most 9: .*; no traffic of the search reached that, which does not exclude it\.$/,
  );
  expect(textOf(less, "search")).toBeDefined();
  const apart = { ...facts.question, nodes: 2, skewUs: milliseconds(0, 20) };
  expect(textOf({ ...facts, question: apart }, "bound")).toMatch(/^No bound is known /);
});

test("a search that did not reach the bound states the least, and what it leaves open", async () => {
  const facts = await resultOf({ algorithm: "fixed_window" });
  const short = {
    ...facts,
    standing: "not reached",
    bound: { most: 12, because: "a test" },
  } as const;
  expect(textOf(short, "most")).toMatch(/^At least 9 requests can get through /);
  expect(textOf(short, "bound")).toBe(
    "The bound is 12 (a test) by requirement LIM-C11; no traffic of the search reached it, which does not exclude it.",
  );
  expect(textOf(short, "search")).toMatch(/^The search tried [\d,]+ patterns of traffic; /);
  expect(textOf(facts, "search")).toBeUndefined();
  const byClock = { ...facts, question: { ...facts.question, fixedWindowStart: "clock" } } as const;
  expect(textOf(byClock, "clock")).toBeUndefined();
  const passed = { ...facts, standing: "passed" } as const;
  expect(textOf(passed, "bound")).toContain("this is a bug of Weir");
  expect(textOf(passed, "next")).toBeUndefined();
});

test("the cause follows from the traffic: a bucket, requests together, clocks", async () => {
  const bucket = await resultOf({ algorithm: "gcra", burst: 3 });
  expect(textOf(bucket, "cause")).toBe(
    "The bucket gains again the 4 that are spent first, and once full it admits 3 at once.",
  );
  const [burst] = bucket.window as readonly [(typeof bucket.window)[number]];
  const fullFirst = [3, 2, 2].map((count) => ({ ...burst, count }));
  expect(textOf({ ...bucket, window: fullFirst }, "cause")).toBe(
    "A full bucket admits 3 at once, and it gains 4 more in one second.",
  );
  const single = bucket.window.map((burst) => ({ ...burst, count: 1 }));
  expect(textOf({ ...bucket, window: single }, "cause")).toBeUndefined();
  const together = await resultOf({ algorithm: "sentinel", storeUs: micros(5000), inFlight: 10 });
  expect(textOf(together, "cause")).toBe(
    "10 requests are under way together, and each is decided before the others are counted.",
  );
  const alone = { ...together, question: { ...together.question, inFlight: null } };
  expect(textOf(alone, "cause")).toBeUndefined();
  const clocks = await resultOf({
    algorithm: "sliding_log",
    nodes: 2,
    skewUs: milliseconds(0, 20),
    level: "api",
    balancer: "sticky",
  });
  expect(textOf(clocks, "cause")).toMatch(/^The clocks of the gateways differ by 20 ms: /);
  const one = clocks.window.map((burst) => ({ ...burst, gateways: [1] }));
  expect(textOf({ ...clocks, window: one }, "cause")).toBeUndefined();
});

const SKEWED = {
  nodes: 2,
  skewUs: milliseconds(0, 20),
  level: "api",
  balancer: "sticky",
} as const;

test("clocks are no cause of what equal clocks admit, nor for buckets and DRL", async () => {
  const fixed = await resultOf({ ...SKEWED, algorithm: "fixed_window" });
  const clocks = /^The clocks of the gateways differ/;
  expect(fixed.most).toBeGreaterThan(9); // 2 x 5 - 1, with one clock
  expect(textOf(fixed, "cause")).toMatch(clocks);
  expect(textOf({ ...fixed, most: 9 }, "cause") ?? "").not.toMatch(clocks);
  for (const algorithm of ["token_bucket", "leaky_bucket", "gcra", "drl"] as const)
    expect(textOf(await resultOf({ ...SKEWED, algorithm }), "cause") ?? "").not.toMatch(clocks);
  const bucket = await resultOf({ ...SKEWED, algorithm: "token_bucket" });
  expect(bucket.most).toBe(10); // of which the clocks explain one
  expect(textOf(bucket, "cause")).toBeUndefined();
  expect(textOf({ ...bucket, most: 9 }, "cause")).toMatch(/full.* admits 5 at once/);
});

// ---------------------------------------------------------------- random results

const questions: fc.Arbitrary<Partial<WorstCaseQuestion>> = fc
  .record({
    algorithm: fc.constantFrom(...ALGORITHMS),
    rate: fc.constantFrom(1, 2, 3, 4.5, 7),
    perUs: fc.constantFrom(micros(1_000_000), micros(250_000)),
    burst: fc.constantFrom<(number | "rate")[]>(1, 3, "rate"),
    fixedWindowStart: fc.constantFrom("first_request" as const, "clock" as const),
    nodes: fc.integer({ min: 1, max: 2 }),
    skewMs: fc.constantFrom(0, 0, 20),
    isOfApi: fc.boolean(),
    isSlow: fc.boolean(),
  })
  .map(({ skewMs, isOfApi, isSlow, ...parts }) => ({
    ...parts,
    skewUs: parts.nodes === 1 || skewMs === 0 ? [] : milliseconds(0, skewMs),
    ...(isOfApi ? { level: "api" as const, balancer: "sticky" } : {}),
    ...(isSlow ? { storeUs: micros(5000), inFlight: 4 } : {}),
  }));

const numbersIn = (text: string): readonly number[] =>
  [...text.replaceAll(/\([^)]*\)/g, "").matchAll(/(?<![-\w.])\d+(?:\.\d+)?/g)].map(([digits]) =>
    Number(digits),
  );
const sum = (values: readonly number[]): number => values.reduce((total, each) => total + each, 0);

/** By the definition: a budget, and what is paid back, or no longer counts, in less than a window. */
const boundIn = ({ bound, question: of }: UnansweredWorstCase): number | null => {
  if (bound.most !== null) return bound.most;
  const budget = of.algorithm === "gcra" ? of.burst : of.rate;
  if (new Set(of.skewUs).size > 1) return null;
  if (of.algorithm === "leaky_bucket") return Math.ceil(of.rate);
  return /^(?:sliding_window_counter|token_bucket|gcra)$/.test(of.algorithm)
    ? Math.floor(budget === "rate" ? of.rate : budget) + Math.ceil(of.rate) - 1
    : null;
};

type Check = (facts: UnansweredWorstCase, sentence: AnswerSentence) => void;

const CHECKS: Readonly<Record<string, Check>> = {
  most: (facts, { text }) => {
    const { most, window } = facts;
    const { rate, perUs } = facts.question;
    expect(sum(window.map(({ count }) => count))).toBe(most);
    expect(window.at(-1)!.atUs - window[0]!.atUs).toBeLessThan(perUs + 20_000); // sent, not admitted
    expect(numbersIn(text).slice(0, 2)).toEqual([most, rate]);
    expect(text.startsWith("At least")).toBe(most !== boundIn(facts));
    expect(text.startsWith("No more")).toBe(most === boundIn(facts) && most <= rate);
  },
  cause: ({ most, question: of, window }, { text }) => {
    expect(most).toBeGreaterThan(of.rate);
    if (text.startsWith("The clocks")) {
      expect(new Set(window.flatMap(({ gateways }) => gateways)).size).toBe(2);
      expect(["token_bucket", "leaky_bucket", "gcra", "drl"]).not.toContain(of.algorithm);
      if (of.algorithm === "fixed_window" && Number.isInteger(of.rate))
        expect(most).toBeGreaterThan(2 * of.rate - 1);
    } else if (text.includes("bucket")) expect(sum(numbersIn(text).slice(0, 2))).toBe(most);
    else if (text.includes("together"))
      expect(window.map(({ count }) => count)).toContain(numbersIn(text)[0]);
    else if (text.includes("spread evenly")) expect(window.length).toBeGreaterThan(1);
    else {
      const counts = numbersIn(text.replace(/each of \d+/, "").replace(/^\d+ requests open /, ""));
      expect(sum(counts)).toBe(most);
      expect(Math.max(...counts)).toBeLessThanOrEqual(of.rate);
    }
  },
  bound: (facts, { text }) => {
    const bound = boundIn(facts);
    if (bound === null) expect(text).toContain("No bound");
    else expect(numbersIn(text.replace("LIM-C11", ""))[0]).toBe(bound);
    expect(text.startsWith("More is impossible")).toBe(facts.most === bound);
  },
  clock: ({ question: of, bound }, { numbers }) => {
    expect([of.algorithm, of.fixedWindowStart]).toEqual(["fixed_window", "first_request"]);
    expect(numbers["bound"]).toBeGreaterThan(bound.most!);
    if (of.nodes === 1) expect(numbers["bound"]).toBeLessThanOrEqual(2 * Math.ceil(of.rate));
  },
  search: (facts, { text }) => {
    const { most, patterns } = facts;
    expect(most).not.toBe(boundIn(facts));
    expect(text).toContain(patterns.toLocaleString("en-US"));
  },
  next: ({ most, question: { rate } }, { text }) => {
    expect(most).toBeGreaterThan(rate);
    expect(text).toContain(` for ${most} per `);
  },
};

test("each sentence states what a random search has found", async () => {
  const seen = new Map(Object.keys(CHECKS).map((id) => [id, 0]));
  const property = fc.asyncProperty(questions, async (parts) => {
    const facts = await resultOf(parts, 8);
    for (const sentence of answerWorst(facts)) {
      seen.set(sentence.id, seen.get(sentence.id)! + 1);
      CHECKS[sentence.id]!(facts, sentence);
    }
  });
  await holdsUntil(3, () => Math.min(...seen.values()), property, 40);
  expect(Math.min(...seen.values())).toBeGreaterThan(0);
});
