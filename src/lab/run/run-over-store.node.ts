// The main flow with a real store in virtual time: a decision that differs from that of the memory store is a failure. A
// variant that the store cannot run is reported as such.
import { reasonsAgainstRedis } from "../drivers/offers.ts";
import type { Difference, Replayed, ReplayStore } from "../drivers/replay.node.ts";
import type { ReportedRun } from "../report/build/report-of.ts";
import { plan } from "../scenario/plan/plan.ts";
import type { Scenario, Variant } from "../scenario/types.ts";
import { worst, type Result, type ReportedVerdict } from "../scenario/verdict.ts";
import { checkHistories, resultWithoutHistory, type VariantHistory } from "./pipeline.ts";

export async function runOverStore(
  store: ReplayStore,
  scenario: Scenario,
  seed: number,
): Promise<readonly ReportedRun[]> {
  const histories: (Replayed & VariantHistory)[] = [];
  for (const variant of scenario.variants)
    if (reasonsAgainstRedis(variant).length === 0)
      histories.push({ variant, ...(await store.play(variant, plan(variant, scenario.id, seed))) });
  const { runs } = checkHistories(scenario, histories);
  return scenario.variants.map((variant) => {
    const index = histories.findIndex((one) => one.variant === variant);
    if (index === -1) return runOfUnsupported(scenario, variant, seed);
    const run = runs[index]!;
    const { difference, operations } = histories[index]!;
    if (difference === null) return run;
    return { ...run, result: withDifference(run.result, difference, operations) };
  });
}

function runOfUnsupported(scenario: Scenario, variant: Variant, seed: number): ReportedRun {
  const result = resultWithoutHistory({ driver: "virtual", seed }, scenario, variant);
  return {
    variant,
    history: null,
    result: { ...result, unsupported: reasonsAgainstRedis(variant) },
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
