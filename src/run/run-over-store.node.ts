// The main flow with a real store in virtual time: a decision that differs from that of the memory store is a failure.
import type { Difference, Replayed, ReplayStore } from "../drivers/replay.node.ts";
import { plan } from "../scenario/plan/plan.ts";
import type { Scenario } from "../scenario/types.ts";
import { worst, type Result, type ReportedVerdict } from "../scenario/verdict.ts";
import { checkHistories, type VariantHistory, type ScenarioRun } from "./pipeline.ts";

export async function runOverStore(
  store: ReplayStore,
  scenario: Scenario,
  seed: number,
): Promise<ScenarioRun> {
  const histories: (Replayed & VariantHistory)[] = [];
  for (const variant of scenario.variants)
    histories.push({ variant, ...(await store.play(variant, plan(variant, scenario.id, seed))) });
  const { runs } = checkHistories(scenario, histories);
  return {
    scenario,
    runs: runs.map((run, index) => {
      const { difference, operations } = histories[index]!;
      if (difference === null) return run;
      return { ...run, result: withDifference(run.result, difference, operations) };
    }),
  };
}

function withDifference(result: Result, difference: Difference, operations: number): Result {
  const verdict: ReportedVerdict = {
    expectation: `the store replies as memory does: ${difference.operation}`,
    line: 1,
    proves: [],
    outcome: "fail",
    observed: difference.observed,
    expected: difference.expected,
    examined: operations,
    evidence: [],
    evidenceTotal: 0,
    requests: [],
  };
  const verdicts = [...result.verdicts, verdict];
  return { ...result, outcome: worst(verdicts.map(({ outcome }) => outcome)), verdicts };
}
