// A small suite that has one of everything that a page has to show: each outcome, names that mean harm, an allowance
// that moves, a fleet, a store that is slow.
import { checkHistories } from "#src/lab/run/pipeline.ts";
import { playVariant } from "#src/lab/drivers/virtual.node.ts";
import {
  reportOf,
  scenarioReport,
  type ReportedScenario,
} from "#src/lab/report/build/report-of.ts";
import type { Report, ScenarioReport } from "#src/lab/report/model.ts";
import { digest } from "#src/lab/scenario/history/digest.node.ts";
import { plan } from "#src/lab/scenario/plan/plan.ts";
import { decode } from "#src/lab/scenario/read/decode.ts";
import { NO_TOTALS } from "#src/lab/scenario/verdict.ts";

export const SLY = `</title></script><script>alert(1)</script><img src=x onerror='alert(2)'> "&amp;`;

const quote = (text: string): string => JSON.stringify(text);

const world = (key: string, more = ""): string => `
world:
  apis: { orders: { listen: /orders } }
  keys: { alice: { apis: [orders], ${key} } }
  ${more}`;

const SCENARIOS: Readonly<Record<string, string>> = {
  "limits/five-at-once": `
title: five of eight that come at once pass
about: Eight requests at once, and a limit of five a second.
proves: [LIM-1, LIM-2]
matrix: { algorithm: [fixed_window, sliding_log, token_bucket] }
${world("rate: 5, per: 1", "gateway: { algorithm: $algorithm }")}
traffic:
  - { name: first, as: alice, send: GET /orders, burst: 8 }
expect:
  - { id: five pass and three do not, sequence: { flow: first }, equals: 5*200 3*429 }`,

  "limits/four-is-wrong": `
title: a limit of five is said to admit four
about: What is expected here does not hold, with one algorithm of two.
proves: [LIM-3]
matrix: { algorithm: [fixed_window, sliding_log] }
${world("rate: 5, per: 1", "gateway: { algorithm: $algorithm }")}
traffic:
  - { name: flood, as: alice, send: GET /orders, stages: [{ name: flood, rate: 20, for: 3s }] }
expect:
  - id: four in any second
    where: { algorithm: fixed_window }
    maxInAnyWindow: { as: alice, window: 1s }
    equals: 4
  - { id: something is refused, count: { status: 429 }, atLeast: 1 }`,

  "limits/nobody-comes": `
title: nobody comes late enough to be looked at
proves: [LIM-1]
${world("rate: 5, per: 1")}
traffic:
  - { name: first, as: alice, send: GET /orders, burst: 8 }
expect:
  - id: later ones pass
    count: { flow: first, during: [9s, 10s], status: 429 }
    equals: 0
    among: { atLeast: 1 }`,

  "limits/in-real-time": `
title: the clock of this machine leaves it open
proves: [LIM-C1]
${world("rate: 5, per: 1")}
traffic:
  - { name: first, as: alice, send: GET /orders, burst: 8 }
expect:
  - { id: five pass, count: { status: 200 }, equals: 5 }`,

  "limits/not-played": `
title: this driver cannot play it
proves: [LIM-C1]
${world("rate: 5, per: 1")}
traffic:
  - { name: first, as: alice, send: GET /orders, burst: 8 }
expect:
  - { id: five pass, count: { status: 200 }, equals: 5 }`,

  "limits/sly-names": `
title: ${quote(SLY)}
about: ${quote(`About ${SLY}`)}
proves: [LIM-1]
matrix: { who: [plain, ${quote(SLY)}] }
${world("rate: 5, per: 1")}
traffic:
  - { name: $who, as: alice, send: GET /orders, burst: 8 }
expect:
  - { id: ${quote(`Expected ${SLY}`)}, count: { status: 200 }, equals: 5 }`,

  "smoothing/climbs": `
title: an allowance climbs while it is asked for, and walks back in silence
about: From two by steps of one to eight, and a second without requests.
proves: [SMO-3]
matrix: { algorithm: [sliding_log, sentinel] }
${world(
  "rate: 8, per: 1, smoothing: { enabled: true, threshold: 2, step: 2, trigger: 0.5, delay: 1 }",
  "gateway: { algorithm: $algorithm }",
)}
traffic:
  - name: ramp
    as: alice
    send: GET /orders
    stages: [{ name: up, rate: 10, for: 6s }, { name: down, rate: 1, for: 6s }]
expect:
  - { id: it rises, events: { event: RateLimitSmoothingUp }, atLeast: 1 }`,

  "fleet/shares": `
title: each of three gateways admits its share
proves: [ALG-C4]
${world("rate: 9, per: 1", "gateway: { algorithm: drl }\n  fleet: { nodes: 3 }")}
traffic:
  - { name: flood, as: alice, send: GET /orders, stages: [{ name: flood, rate: 30, for: 4s }] }
expect:
  - { id: three each, maxInAnyWindow: { as: alice, gateway: 2, window: 1s }, equals: 3 }`,

  "fleet/slow-store": `
title: answers wait for a store that is slow
proves: [ALG-C8]
matrix: { algorithm: [sliding_log, fixed_window] }
${world("rate: 9, per: 1", "gateway: { algorithm: $algorithm }\n  fleet: { nodes: 2 }\n  store: { latency: 8ms }")}
traffic:
  - { name: flood, as: alice, send: GET /orders, stages: [{ name: flood, rate: 20, for: 4s }] }
faults:
  - { at: 2s, for: 1s, store: { latency: 30ms } }
expect:
  - { id: something is refused, count: { status: 429 }, atLeast: 1 }`,
};

async function reportOfScenario(id: string, rest: string): Promise<ScenarioReport> {
  const text = `id: ${id}${rest}\n`;
  const { scenario, problems } = decode(`scenarios/${id}.yaml`, text);
  if (scenario === null) throw new Error(JSON.stringify(problems, null, 2));
  const histories = await Promise.all(
    scenario.variants.map(async (variant) => ({
      variant,
      history: await playVariant(variant, plan(variant, id, 1)),
    })),
  );
  return scenarioReport(asInRealTime(checkHistories(scenario, histories)), text);
}

/** Virtual time leaves nothing open and runs everything; other drivers do not. */
function asInRealTime({ scenario, runs }: ReportedScenario): ReportedScenario {
  if (scenario.id === "limits/in-real-time")
    return {
      scenario,
      runs: runs.map(({ result, ...run }) => ({
        ...run,
        result: {
          ...result,
          driver: "embedded",
          outcome: "inconclusive",
          verdicts: result.verdicts.map((verdict) => ({ ...verdict, outcome: "inconclusive" })),
        },
      })),
    };
  if (scenario.id === "limits/not-played")
    return {
      scenario,
      runs: runs.map(({ result, variant }) => ({
        variant,
        history: null,
        result: {
          ...result,
          driver: "redis",
          outcome: "unsupported",
          unsupported: ["It needs a clock that can be set."],
          verdicts: [],
          ...NO_TOTALS,
        },
      })),
    };
  return { scenario, runs };
}

export async function smallReport(): Promise<Report> {
  const scenarios = await Promise.all(
    Object.entries(SCENARIOS).map(([id, rest]) => reportOfScenario(id, rest)),
  );
  const head = {
    seed: 1,
    argv: ["run", "scenarios", SLY],
    startedAt: "2026-01-01T00:00:00.000Z",
    tookSeconds: 0.5,
    commit: "0123456789abcdef0123456789abcdef01234567",
    versions: { weir: "0.1.0", node: "24.0.0" },
    isComplete: true,
    faults: [],
  };
  return reportOf(head, scenarios, (text) => digest([text]));
}
