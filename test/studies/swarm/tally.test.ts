import { expect, test } from "vitest";
import { SwarmTally, tallyLines, type TalliedTrial } from "#src/studies/swarm/tally.ts";
import type { Outcome } from "#src/lab/scenario/verdict.ts";

const failure = { what: "agrees", observed: "no", expected: "yes", because: [] };
const trial = (
  [agrees, bounds]: readonly [Outcome, Outcome],
  [compared, open]: readonly [number, number],
): TalliedTrial => ({
  failure: agrees === "fail" ? failure : null,
  decisions: { compared, open },
  verdicts: [
    { expectation: "agrees", outcome: agrees },
    { expectation: "bounds", outcome: bounds },
  ],
});
const tallyOf = (...trials: readonly TalliedTrial[]): SwarmTally => {
  const tally = new SwarmTally();
  for (const each of trials) tally.add(each);
  return tally;
};

test("a world passes if its decisions were compared and few are open", () => {
  const tally = tallyOf(
    trial(["pass", "pass"], [10, 1]),
    trial(["pass", "vacuous"], [20, 0]),
    trial(["inconclusive", "pass"], [10, 9]),
    trial(["vacuous", "vacuous"], [0, 0]),
    trial(["fail", "pass"], [5, 0]),
  );
  expect(tally.worlds).toEqual({ passed: 2, failed: 1, skipped: 2, inconclusive: 1, vacuous: 1 });
  expect(tally.decisions).toEqual({ compared: 45, open: 10 });
  expect(tallyLines(tally)).toEqual([
    "10 of 45 compared decisions are open (22.2 %)",
    "  passed  vacuous  inconclusive",
    "       3        2             0  bounds",
    "       2        1             1  agrees",
    "skipped: 1 inconclusive world (too many decisions are open), 1 vacuous world (no decision was compared)",
  ]);
});

test("any rule that stays open makes its world inconclusive", () => {
  const { worlds } = tallyOf(trial(["pass", "inconclusive"], [10, 0]));
  expect(worlds).toMatchObject({ passed: 0, inconclusive: 1 });
});

test("where every world passed, none is reported as skipped", () => {
  const lines = tallyLines(tallyOf(trial(["pass", "pass"], [1, 1])));
  expect(lines[0]).toBe("1 of 1 compared decision is open (100.0 %)");
  expect(lines).toHaveLength(4);
});

test("a world that could not be run has failed, without a verdict", () => {
  const broken = { failure, decisions: { compared: 0, open: 0 }, verdicts: [] };
  expect(tallyOf(broken)).toMatchObject({ worlds: { failed: 1, skipped: 0 }, rules: [] });
});
