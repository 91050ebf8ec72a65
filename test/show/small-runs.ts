// Small scenarios, run in virtual time for the tests of the report.
import { checkHistories } from "#src/lab/run/pipeline.ts";
import { playVirtual } from "#src/lab/drivers/virtual.ts";
import type { ReportedScenario } from "#src/lab/report/build/report-of.ts";
import { plan } from "#src/lab/scenario/plan/plan.ts";
import { decode } from "#src/lab/scenario/read/decode.ts";
import type { Scenario } from "#src/lab/scenario/types.ts";

export interface Small {
  readonly title?: string;
  readonly matrix?: string;
  readonly algorithm?: string;
  readonly traffic: string;
  readonly expect?: string;
  readonly charts?: string;
}

/** A key of five a second, smoothed from two under sliding_log. */
export function runReport({
  title = "five a second",
  matrix = "",
  algorithm = "fixed_window",
  traffic,
  expect = "{ id: counted, count: {}, atLeast: 1 }",
  charts = "",
}: Small): ReportedScenario {
  const text = `id: limits/small
title: ${title}
about: A <b>small</b> world & its traffic.
proves: [LIM-1]
${matrix}
world:
  apis: { orders: { listen: /orders } }
  keys: { alice: { apis: [orders], rate: 5, per: 1${algorithm === "sliding_log" ? ", smoothing: { enabled: true, threshold: 2, step: 1, trigger: 1, delay: 1 }" : ""} } }
  gateway: { algorithm: ${algorithm} }
traffic:
  - { name: first, as: alice, send: GET /orders, ${traffic} }
expect:
  - ${expect}
${charts}
`;
  return runReportOfText(text);
}

/** Any scenario, from the text of its file. */
export function runReportOfText(text: string): ReportedScenario {
  const scenario = scenarioOf(text);
  const histories = scenario.variants.map((variant) => ({
    variant,
    history: playVirtual(variant, plan(variant, scenario.id, 1)),
  }));
  return checkHistories(scenario, histories);
}

export function scenarioOf(text: string): Scenario {
  const { scenario, problems } = decode("scenarios/limits/small.yaml", text);
  if (scenario === null) throw new Error(JSON.stringify(problems, null, 2));
  return scenario;
}
