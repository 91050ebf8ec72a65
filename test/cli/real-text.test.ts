import { expect, test } from "vitest";
import { EXIT } from "#src/cli/exit.ts";
import { linesOfDoubt } from "#src/cli/real-text.ts";
import { problemsOfRun, report } from "#src/cli/run-report.ts";
import { withoutUnproven, type Result } from "#src/lab/scenario/verdict.ts";
import { plainTerminal } from "./weir.ts";
import { result } from "../histories/result.ts";

const resultWith = (more: Partial<Result>): Result =>
  result({ variant: "gcra", driver: "redis", verdicts: [], requests: 100, ...more });

const plain = (_: string, text: string): string => text;

test("a run in virtual time leaves nothing open", () => {
  expect(linesOfDoubt([resultWith({ driver: "virtual" })], plain)).toEqual([]);
});

/** The last line, the exit code, and the reasons, of results as they count. */
function reportOf(...counted: readonly Result[]) {
  const results = withoutUnproven(counted);
  const reported = { seed: 1, results, isComplete: true, isWhole: false };
  const lines: string[] = [];
  const exit = report(plainTerminal(lines), new Set(["quiet"]), reported);
  return { lines, last: lines.at(-1), exit, why: problemsOfRun(reported) };
}

test.each([
  [2, "2 of 100 (2.0 %)", EXIT.passed, "1 passed, 0 failed, 0 skipped"],
  [3, "3 of 100 (3.0 %)", EXIT.unproven, "0 passed, 0 failed, 0 skipped, 1 inconclusive"],
])("of 100 decisions of Weir's own gateway %i may be open: %s", (undecided, line, code, last) => {
  const { lines, exit, why, ...rest } = reportOf(resultWith({ undecided }));
  expect(lines).toContain(`inconclusive: ${line} decisions, 0 of 0 (0.0 %) expectations`);
  expect([exit, rest.last, why.length]).toEqual([code, last, code === EXIT.passed ? 0 : 1]);
});

test("in a run that is mostly open, variants without open decisions have passed all the same", () => {
  const { last, exit, why } = reportOf(
    resultWith({ undecided: 50 }),
    resultWith({}),
    resultWith({ undecided: 2 }),
  );
  expect([last, exit]).toEqual(["2 passed, 0 failed, 0 skipped, 1 inconclusive", EXIT.unproven]);
  expect(why).toEqual(["over 2 % of decisions are open, so no variant with as many has passed"]);
});

test("what holds for a gateway of others has passed, although each decision is open by itself", () => {
  const { lines, last, exit, why } = reportOf(resultWith({ driver: "remote", undecided: 100 }));
  expect([last, exit, why]).toEqual(["1 passed, 0 failed, 0 skipped", EXIT.passed, []]);
  expect(lines).toContain(
    "inconclusive: 0 of 0 (0.0 %) expectations, and 100 of 100 (100.0 %) decisions, because foreign gateways do not report when they decide",
  );
});

test.each(["remote", "embedded"])(
  "on %s, inconclusive variants are no proof without one that passed",
  (driver) => {
    const open = resultWith({ driver, outcome: "inconclusive" });
    const nothing = reportOf(open, resultWith({ driver, outcome: "unsupported", requests: 0 }));
    expect([nothing.last, nothing.exit]).toEqual([
      "0 passed, 0 failed, 1 skipped, 1 inconclusive",
      EXIT.unproven,
    ]);
    expect(nothing.why).toEqual(["nothing is shown: the timing allows both outcomes"]);
    expect(nothing.lines).toContain("INCONCLUSIVE limits/one gcra");
    const some = reportOf(open, resultWith({ driver }));
    expect([some.last, some.exit, some.why]).toEqual([
      "1 passed, 0 failed, 0 skipped, 1 inconclusive",
      EXIT.passed,
      [],
    ]);
    expect(reportOf(open, resultWith({ driver, outcome: "fail" })).exit).toBe(EXIT.failed);
  },
);

test("variants that ran again because the machine was busy are named", () => {
  const results = [resultWith({ variant: "a" }), resultWith({ variant: "b", playedBefore: 2 })];
  expect(linesOfDoubt(results, plain)).toContain(
    "run again, because the times allowed both outcomes: limits/one b",
  );
  const many = ["b", "c", "d"].map((variant) => resultWith({ variant, playedBefore: 1 }));
  expect(linesOfDoubt(many, plain)).toContain(
    "run again, because the times allowed both outcomes: limits/one (3 variants)",
  );
});
