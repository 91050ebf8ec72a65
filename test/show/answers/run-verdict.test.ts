// The first sentences of the answer of weir run: the verdict and the causes, each with its premise.
import { expect, test } from "vitest";
import { micros } from "#src/kit/units.ts";
import type { ReportedVerdict, Result } from "#src/lab/scenario/verdict.ts";
import { answerRun } from "#src/show/answers/run.ts";
import { bucket, buildVerdict, log } from "./run-results.ts";

/** The sentences after the verdict. */
const textsOf = (...results: readonly Result[]): readonly string[] =>
  answerRun(results)
    .slice(1)
    .map(({ text }) => text);
const verdictOf = (results: readonly Result[], isComplete = true): string =>
  answerRun(results, isComplete)[0]!.text;

test("the first sentence has the verdict, with the value that failed variants share", () => {
  const failed = { ...log, outcome: "fail" as const };
  expect(verdictOf([bucket, failed])).toBe(
    "All expectations hold with a token bucket. 1 of 2 variants of limits/a fails: exactly those with a sliding log.",
  );
  expect(verdictOf([{ ...bucket, outcome: "fail" }, failed])).toBe(
    "All 2 variants of limits/a fail.",
  );
  const other = { ...failed, file: "b.yaml", outcome: "vacuous" as const };
  expect(verdictOf([bucket, failed, other])).toBe(
    "2 of 3 variants of 2 scenarios do not pass (1 fails and 1 proves nothing).",
  );
  const passed = { ...bucket, verdicts: [buildVerdict("pass"), buildVerdict("pass")] };
  expect(verdictOf([passed])).toMatch(
    / passes: all 2 expectations hold, with 50 requests, 12 of them refused\.$/,
  );
  expect(verdictOf([passed, { ...passed, file: "b.yaml", refused: 0 }])).toBe(
    "All 2 variants of 2 scenarios pass: all 4 expectations hold, with 100 requests, 12 of them refused.",
  );
});

test("why a request got its response follows the cause that is named first, while there is one", () => {
  const why = "alice got 429: all 5 requests per second for this key were used.";
  const verdicts = [buildVerdict("fail", { requests: ["first:6"] })];
  const failed = { ...log, outcome: "fail" as const, verdicts };
  const wordsOf = (...results: readonly Result[]): string | undefined =>
    answerRun(results).find(({ id }) => id === "why")?.text;
  expect(wordsOf({ ...failed, why })).toBe(why);
  expect(wordsOf(failed)).toBeUndefined();
  expect(wordsOf({ ...log, why: "of no failure" })).toBeUndefined();
  const first = [buildVerdict("vacuous"), ...verdicts];
  expect(wordsOf({ ...failed, why, verdicts: first })).toBeUndefined();
  expect(wordsOf(bucket, { ...failed, why })).toBe(why);
  expect(wordsOf({ ...failed, why }, { ...failed, file: "b.yaml" })).toBeUndefined();
  expect(wordsOf({ ...failed, why: "alice\ngot 429." })).not.toContain("\n");
});

test("variants that did not run, or are open, are not counted as passed", () => {
  const skipped = { ...log, outcome: "unsupported" as const };
  const open = { ...log, outcome: "inconclusive" as const, driver: "embedded" };
  expect(verdictOf([bucket, skipped])).toBe(
    "1 of 2 variants of limits/a passes, and 1 was skipped.",
  );
  expect(verdictOf([skipped, skipped])).toBe(
    "Nothing ran: the driver can run none of the 2 variants.",
  );
  expect(verdictOf([bucket, open])).toBe(
    "1 of 2 variants of limits/a passes, and 1 is inconclusive: its times allow both outcomes.",
  );
  // In virtual time nothing but the specification leaves it open, and it fails.
  expect(verdictOf([bucket, { ...open, driver: "virtual" }])).toMatch(/ is inconclusive: exactly /);
  expect(verdictOf([bucket], false)).toMatch(/, and the run ended before the others\.$/);
  expect(answerRun([])).toEqual([]);
  expect(textsOf(bucket, { ...log, file: "b.yaml" })).toEqual([]);
  expect(textsOf(bucket, skipped)).toEqual([]);
});

test("a failed expectation has a sentence with its client, what was observed and what is allowed", () => {
  const compared = {
    clients: ["alice"],
    flows: [],
    statuses: null,
    windowUs: micros(1_000_000),
    offered: 20,
    observed: { from: 12, to: 12 },
    least: null,
    most: 10,
  };
  const causeOf = (verdict: ReportedVerdict, ...more: readonly ReportedVerdict[]): string =>
    verdictOf([{ ...bucket, variant: "", outcome: "fail", verdicts: [verdict, ...more] }]);
  const of = (change: Partial<typeof compared> | { readonly least: number } | object): string =>
    causeOf(buildVerdict("fail", { compared: { ...compared, ...change } }));
  expect(of({})).toBe(
    "limits/a fails: client alice got 12 requests through within 1s, where at most 10 are allowed.",
  );
  const inAll = { windowUs: null, clients: [], flows: ["first"] };
  expect(
    of({ ...inAll, statuses: [200], observed: { from: 1, to: 1 }, least: 5, most: null }),
  ).toBe(
    "limits/a fails: 1 of 20 requests of flow first was admitted, where at least 5 are expected.",
  );
  expect(of({ ...inAll, flows: [], statuses: [429], least: 3, most: 3 })).toBe(
    "limits/a fails: 12 of 20 requests of all clients together were refused, where exactly 3 are expected.",
  );
  expect(of({ ...inAll, statuses: [0], least: 1, most: 2 })).toMatch(
    / got no response, where 1 to 2 are expected\.$/,
  );
  const sequence = buildVerdict("fail", {
    observed: "3*200 429; differs at first:4",
    expected: "4*200",
  });
  expect(causeOf(sequence, buildVerdict("fail"), buildVerdict("pass"))).toBe(
    'limits/a fails: "at most ten are admitted" does not hold: 3*200 429; differs at first:4, where 4*200 is expected; 1 more of its expectations does not hold.',
  );
  expect(causeOf(buildVerdict("error", { observed: "no flow x" }))).toMatch(
    / cannot be evaluated: no flow x\.$/,
  );
  const scenarios = ["a", "b", "c"].map((file) => ({
    ...bucket,
    scenario: file,
    variant: "",
    file,
    outcome: "fail" as const,
    verdicts: [buildVerdict("fail", { compared })],
  }));
  expect(textsOf(...scenarios)).toEqual(
    ["a", "b"].map(
      (name) =>
        `${name}: client alice got 12 requests through within 1s, where at most 10 are allowed.`,
    ),
  );
});
