// Each sentence of the answer of weir bench truth has its premise in the document.
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { answerTruth } from "#src/show/answers/truth.ts";
import type { SubjectTruth, TruthResult } from "#src/studies/bench/truth-schema.ts";
import type { Answer } from "#src/lab/report/answer.ts";
import { holds } from "../../runs.ts";
import { control, subject, truth } from "../../studies/bench/truth-results.ts";

const textOf = (answer: Answer, id: string): string | undefined =>
  answer.find((each) => each.id === id)?.text;

const WRONG = subject({
  name: "drl redis",
  most: 120,
  faults: ["120 in 1s, where at most 99 are allowed"],
  verdict: "outside",
});

test("the first sentence counts the limiters that break their bounds, and names one", () => {
  expect(answerTruth(truth(subject({}), control))[0]!.text).toBe(
    "The limiter admitted no more than the algorithm allows, and refused nothing too soon: 100 requests a second to each for 1 second, with a limit of 50 per second.",
  );
  expect(answerTruth(truth(subject({}), WRONG, control))[0]!.text).toBe(
    "1 of 2 limiters breaks the bounds of the algorithm: drl redis. drl redis: 120 in 1s, where at most 99 are allowed.",
  );
});

test("the most in a window is stated if it is above the limit", () => {
  const of = (most: number): string | undefined =>
    textOf(answerTruth(truth(subject({ most }))), "most");
  expect(of(75)).toBe("The most in any second has gcra memory: 75, where its algorithm allows 99.");
  expect(of(50)).toBeUndefined();
});

test("a run that does not find a control wrong proves nothing", () => {
  const missed = { ...control, faults: [], verdict: "within" as const };
  expect(textOf(answerTruth(truth(subject({}), control)), "controls")).toMatch(
    /^The run would have seen a wrong limiter/,
  );
  expect(textOf(answerTruth(truth(subject({}), missed)), "controls")).toMatch(
    /^The run proves nothing, because it did not find twice the rate wrong/,
  );
  expect(textOf(answerTruth(truth(subject({}))), "controls")).toBeUndefined();
});

test("errors, a busy machine and an early end are stated", () => {
  const good = truth(subject({}), control);
  const bad = answerTruth({
    ...good,
    machine: { ...good.machine, busy: "others took it" },
    stopped: "it was interrupted",
    footer: { ...good.footer, errors: 2 },
  });
  expect(textOf(bad, "busy")).toBe("Others took it.");
  expect(textOf(bad, "stopped")).toBe("The run is incomplete: it was interrupted.");
  expect(textOf(bad, "errors")).toMatch(/^2 requests had no response/);
  for (const id of ["busy", "stopped", "errors"])
    expect(textOf(answerTruth(good), id)).toBeUndefined();
  expect(answerTruth(truth()).map(({ text }) => text)).toEqual(["Nothing was measured."]);
});

type Claim = (text: string, result: TruthResult) => unknown;
const ofRole = ({ subjects }: TruthResult, role: string): readonly SubjectTruth[] =>
  subjects.filter((each) => each.role === role);

const CLAIMS: Readonly<Record<string, Claim>> = {
  within: (text, result) => {
    const cells = ofRole(result, "cell");
    const outside = cells.filter(({ faults }) => faults.length > 0);
    const start =
      outside.length > 0
        ? `${outside.length} of ${cells.length} limiter`
        : cells.length === 1
          ? "The limiter"
          : `All ${cells.length} limiters`;
    expect(text.startsWith(start)).toBe(true);
  },
  most: (text, result) =>
    expect(text).toContain(`: ${Math.max(...ofRole(result, "cell").map(({ most }) => most))}`),
  controls: (text, result) =>
    expect(text.startsWith("The run would have seen")).toBe(
      ofRole(result, "control").every(({ faults }) => faults.length > 0),
    ),
  errors: (text, { footer }) => expect(text).toContain(`${footer.errors} request`),
  stopped: (text, { subjects, stopped }) =>
    expect(text).toContain(subjects.length === 0 ? "Nothing was measured" : stopped!),
  scope: (_, result) => expect(ofRole(result, "cell")).not.toEqual([]),
};

test("no sentence about a random result contradicts its rows", () => {
  const occurred = new Set<string>();
  const row = fc
    .record({ most: fc.integer({ min: 30, max: 120 }), isControl: fc.boolean(), errors: fc.nat(1) })
    .map(({ most, isControl, errors }): SubjectTruth => {
      const faults = most > 99 ? [`${most} in 1s, where at most 99 are allowed`] : [];
      const verdict = faults.length === 0 ? "within" : "outside";
      return subject({ most, faults, verdict, errors, role: isControl ? "control" : "cell" });
    });
  holds(
    fc.property(fc.array(row, { maxLength: 4 }), fc.boolean(), (rows, isStopped) => {
      const result = { ...truth(...rows), stopped: isStopped ? "it was stopped" : null };
      for (const { id, text } of answerTruth(result)) {
        occurred.add(id);
        CLAIMS[id]!(text, result);
      }
    }),
    200,
  );
  expect([...occurred].toSorted()).toEqual(Object.keys(CLAIMS).toSorted());
});
