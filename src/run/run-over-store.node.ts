// The main flow with a real store behind virtual time: what it decides otherwise than memory is a failure.
import type { Difference, Replayed, ReplayStore } from "../drivers/replay.node.ts";
import { plan } from "../scenario/plan/plan.ts";
import type { Scenario } from "../scenario/types.ts";
import { worst, type Result, type ReportedVerdict } from "../scenario/verdict.ts";
import { judged, type Played, type ScenarioRun } from "./pipeline.ts";

export async function runOverStore(
  store: ReplayStore,
  scenario: Scenario,
  seed: number,
): Promise<ScenarioRun> {
  const played: (Replayed & Played)[] = [];
  for (const variant of scenario.variants)
    played.push({ variant, ...(await store.play(variant, plan(variant, scenario.id, seed))) });
  const { runs } = judged(scenario, played);
  return {
    scenario,
    runs: runs.map((run, index) => {
      const { difference, operations } = played[index]!;
      if (difference === null) return run;
      return { ...run, result: differing(run.result, difference, operations) };
    }),
  };
}

function differing(result: Result, difference: Difference, operations: number): Result {
  const verdict: ReportedVerdict = {
    expectation: `the store answers as memory does: ${difference.operation}`,
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
