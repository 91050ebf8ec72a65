// The answer of weir run: each sentence goes or changes with its premise, and states what the results have.
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { playVirtual } from "#src/lab/drivers/virtual.ts";
import { plan } from "#src/lab/scenario/plan/plan.ts";
import { decode } from "#src/lab/scenario/read/decode.ts";
import type { Result } from "#src/lab/scenario/verdict.ts";
import { totalsOf } from "#src/lab/check/totals.ts";
import type { AnswerSentence } from "#src/lab/report/answer.ts";
import { micros } from "#src/kit/units.ts";
import { answerRun } from "#src/show/answers/run.ts";
import { holdsUntil } from "../../runs.ts";
import { bucket, log, resultOf } from "./run-results.ts";

/** The sentences after the verdict. */
const textsOf = (...results: readonly Result[]): readonly string[] =>
  answerRun(results)
    .slice(1)
    .map(({ text }) => text);

test("refused requests separate two algorithms, until both refuse the same", () => {
  expect(textsOf(bucket, log)).toEqual([
    "12 of 50 requests are refused with a token bucket, 33 with a sliding log.",
  ]);
  expect(textsOf(bucket, { ...log, refused: 12 })).toEqual([
    "Nothing separates the 2 variants: each refuses 12 of 50 requests.",
  ]);
  expect(textsOf(bucket, { ...log, requests: 66 })[0]).toBe(
    "12 of 50 requests are refused with a token bucket, 33 of 66 with a sliding log.",
  );
});

test("delayed and rejected requests separate variants, and so do outcomes", () => {
  const same = { ...log, refused: 12 };
  expect(textsOf(bucket, { ...same, delayed: 5 })).toEqual([
    "None of 50 requests wait with a token bucket, 5 with a sliding log.",
  ]);
  expect(textsOf({ ...bucket, rejected: 3 }, { ...same, rejected: 1 })).toEqual([
    "1 of 50 requests is rejected with a sliding log, 3 with a token bucket.",
  ]);
  expect(textsOf(bucket, { ...same, outcome: "fail" })).toEqual([
    "With a sliding log: nothing is expected of it.",
    "Only the outcomes differ (1 pass, 1 fail): each variant refuses 12 of 50 requests.",
  ]);
  const real = { ...same, outcome: "inconclusive" as const, driver: "embedded" };
  expect(textsOf(bucket, real)).toEqual([
    "Only the outcomes differ (1 pass, 1 inconclusive): each variant refuses 12 of 50 requests.",
  ]);
  expect(textsOf({ ...bucket, outcome: "fail" }, { ...same, outcome: "fail" })).toEqual([
    "With a token bucket: nothing is expected of it.",
    "Nothing separates the 2 variants: each refuses 12 of 50 requests.",
  ]);
});

test("shares of the requests are compared, and variants with other requests are not alike", () => {
  expect(textsOf({ ...bucket, requests: 100, refused: 40 }, log)).toEqual([
    "40 of 100 requests are refused with a token bucket, 33 of 50 with a sliding log.",
  ]);
  expect(textsOf({ ...bucket, refused: 0 }, { ...log, refused: 0, requests: 40 })).toEqual([]);
});

test("an axis whose values were never compared has no sentence", () => {
  const pair = [
    { ...bucket, axes: { ...bucket.axes, nodes: 1 } },
    { ...log, axes: { ...log.axes, nodes: 3 } },
  ];
  expect(textsOf(...pair)).toEqual([
    "12 of 50 requests are refused with algorithm=token_bucket nodes=1, 33 with algorithm=sliding_log nodes=3.",
  ]);
});

test("lost requests and the fullest window separate variants too", () => {
  const peak = (admitted: number): Partial<Result> => ({
    peak: { admitted, perUs: micros(60_000_000) },
  });
  expect(textsOf({ ...bucket, ...peak(9) }, { ...log, ...peak(5), refused: 12, lost: 2 })).toEqual([
    "None of 50 requests get no response with a token bucket, 2 with a sliding log.",
    "At most 5 are admitted in one minute with a sliding log, 9 with a token bucket.",
  ]);
});

test("an axis that changes nothing is named once, and in no other sentence", () => {
  const [a, b] = [bucket, log].map((result) => ({ ...result, axes: { ...result.axes, nodes: 1 } }));
  const [c, d] = [bucket, log].map((result) => ({ ...result, axes: { ...result.axes, nodes: 3 } }));
  expect(textsOf(a!, b!, c!, d!)).toEqual([
    "12 of 50 requests are refused with a token bucket, 33 with a sliding log.",
    "Another value of nodes changes none of these numbers.",
  ]);
  expect(textsOf(a!, b!, c!, { ...d!, refused: 34 })).toEqual([
    "12 of 50 requests are refused with algorithm=token_bucket nodes=1 and algorithm=token_bucket nodes=3, 34 with algorithm=sliding_log nodes=3.",
  ]);
});

// ---------------------------------------------------------------- random results

const AXES = ["token_bucket", "sliding_log", "fixed_window", "leaky_bucket"];

interface RandomMatrix {
  readonly algorithms: readonly string[];
  readonly rates: readonly number[];
  readonly burst: number;
  readonly fails: readonly boolean[];
  readonly crashes: boolean;
}

const matrices: fc.Arbitrary<RandomMatrix> = fc.record({
  algorithms: fc.subarray(AXES, { minLength: 1, maxLength: 4 }),
  rates: fc.subarray([2, 3, 50, 60], { minLength: 1, maxLength: 2 }),
  burst: fc.integer({ min: 1, max: 12 }),
  fails: fc.array(
    fc.nat({ max: 5 }).map((one) => one === 0),
    { minLength: 8, maxLength: 8 },
  ),
  crashes: fc.boolean(),
});

/** The variants of a scenario, run in virtual time. */
function runMatrix({ algorithms, rates, burst, fails, crashes }: RandomMatrix): readonly Result[] {
  const text = `id: limits/a
title: a
matrix: { algorithm: [${algorithms.join(", ")}], rate: [${rates.join(", ")}] }
world:
  apis: { orders: { listen: /orders } }
  keys: { alice: { apis: [orders], rate: $rate, per: 1 } }
  gateway: { algorithm: $algorithm }
traffic:
  - { name: a, as: alice, send: GET /orders, burst: ${burst}, at: 0s }
  - { name: b, as: alice, send: GET /orders, burst: ${burst}, at: 900ms }
${crashes ? "faults: [{ at: 500ms, gateway: crash, node: 0 }]\n" : ""}expect: [{ id: all, count: {}, atLeast: 0, among: { atLeast: 1 } }]
`;
  const { scenario, problems } = decode("scenarios/limits/a.yaml", text);
  if (scenario === null) throw new Error(problems.map(({ message }) => message).join("; "));
  return scenario.variants.map((variant, at) =>
    resultOf(variant.axes, {
      ...totalsOf(playVirtual(variant, plan(variant, scenario.id, 1))),
      outcome: fails[at] === true ? "fail" : "pass",
    }),
  );
}

const share = (of: keyof Result) => (result: Result) =>
  result.requests === 0 ? 0 : Number(result[of]) / result.requests;

const spread =
  (of: "lost" | "refused" | "delayed") =>
  (results: readonly Result[], { numbers }: AnswerSentence): void => {
    const shares = results.map(share(of));
    expect(numbers["least"]! / numbers["leastRequests"]!).toBe(Math.min(...shares));
    expect(numbers["most"]! / numbers["mostRequests"]!).toBe(Math.max(...shares));
    expect(Math.min(...shares)).toBeLessThan(Math.max(...shares));
  };

function checkEqual(results: readonly Result[], numbers: AnswerSentence["numbers"]): void {
  const [first] = results;
  for (const { requests, refused, admitted, delayed, rejected, lost } of results) {
    expect({ requests, refused }).toEqual({
      requests: numbers["requests"],
      refused: numbers["refused"],
    });
    expect({ admitted, delayed, rejected, lost }).toEqual({
      admitted: first!.admitted,
      delayed: first!.delayed,
      rejected: first!.rejected,
      lost: first!.lost,
    });
  }
}

const CHECKS: Readonly<
  Record<string, (results: readonly Result[], sentence: AnswerSentence) => void>
> = {
  lost: spread("lost"),
  refused: spread("refused"),
  delayed: spread("delayed"),
  peak: (results, { numbers }) => {
    const peaks = results.map(({ peak }) => peak!.admitted);
    expect(numbers).toMatchObject({ least: Math.min(...peaks), most: Math.max(...peaks) });
  },
  alike: (results, { numbers }) => {
    checkEqual(results, numbers);
    expect(new Set(results.map(({ outcome }) => outcome)).size).toBe(1);
  },
  outcomes: (results, { numbers }) => {
    checkEqual(results, numbers);
    expect(new Set(results.map(({ outcome }) => outcome)).size).toBe(2);
  },
  "idle-axis": (results, { text }) => {
    const axis = text.includes("rate") ? "rate" : "algorithm";
    const other = axis === "rate" ? "algorithm" : "rate";
    for (const a of results)
      for (const b of results)
        if (a.axes[other] === b.axes[other])
          expect([a.admitted, a.refused, a.lost]).toEqual([b.admitted, b.refused, b.lost]);
  },
  cause: (results, { text }) =>
    expect(results.some(({ outcome }) => outcome === "fail") && text.startsWith("With ")).toBe(
      true,
    ),
  verdict: (results, { text, numbers }) => {
    const failed = results.filter(({ outcome }) => outcome === "fail");
    expect(numbers["failed"]).toBe(failed.length);
    expect(/\bfails?\b/.test(text)).toBe(failed.length > 0);
    if (!text.includes("exactly")) return;
    const isShared = ["algorithm", "rate"].some((axis) =>
      results.every(
        ({ axes, outcome }) => (axes[axis] === failed[0]!.axes[axis]) === (outcome === "fail"),
      ),
    );
    expect(isShared).toBe(true);
  },
};

test("each sentence states what the variants of a random matrix have", async () => {
  const seen = new Map(Object.keys(CHECKS).map((id) => [id, 0]));
  const property = fc.property(matrices, (matrix) => {
    const results = runMatrix(matrix);
    for (const sentence of answerRun(results)) {
      seen.set(sentence.id, seen.get(sentence.id)! + 1);
      CHECKS[sentence.id]!(results, sentence);
    }
  });
  await holdsUntil(3, () => Math.min(...seen.values()), property, 60);
  expect(Math.min(...seen.values())).toBeGreaterThan(0);
});
