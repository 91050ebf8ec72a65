// Two complete scenario files, and helpers that decode them.
import { decode } from "#src/lab/scenario/read/decode.ts";
import { formatProblem } from "#src/kit/reading/source.ts";
import type { Scenario } from "#src/lab/scenario/types.ts";

export const MERGE = `id: policy-merge/winner-takes-both
title: one policy supplies rate and per together
about: >
  Silver has neither the largest rate nor the longest window.
  It is the fastest.
proves: [LIM-5]
matrix:
  algorithm: [fixed-window, sliding-log]
  order: [[gold, silver, bronze], [bronze, silver, gold], [silver, gold, bronze]]
world:
  apis: { orders: { listen: /orders } }
  policies:
    gold: { rate: 6, per: 3, apis: [orders] }
    silver: { rate: 5, per: 1, apis: [orders] } # the fastest
    bronze: { rate: 4, per: 1, apis: [orders] }
  keys: { alice: { apply_policies: $order } }
  gateway: { algorithm: $algorithm }
traffic:
  - { name: first, as: alice, send: GET /orders, burst: 8, at: 0s }
  - { name: second, as: alice, send: GET /orders, burst: 8, at: 1.1s }
expect:
  - id: the first burst spends five
    sequence: { flow: first }
    equals: 5*200 3*429
  - id: and the second five more
    sequence: { flow: second }
    equals: 5*200 3*429
  - id: the text says the same
    decisions: { as: alice }
    agreeWith: oracle
`;

export const RAMP = `id: smoothing/up-and-down-again
title: the allowance follows a climb and comes back after it
proves: [SMO-2, SMO-3, EVT-1]
needs: [events, gauges]
matrix: { climb: [30s, 10s] }
world:
  apis: { orders: { listen: /orders } }
  keys:
    alice: { apis: [orders], rate: 60, per: 1,
             smoothing: { enabled: true, threshold: 20, step: 10, trigger: 0.5, delay: 5 } }
  gateway: { algorithm: sliding-log }
traffic:
  - as: alice
    send: GET /orders
    stages:
      - { name: calm, rate: 10, for: 10s }
      - { name: climb, rateTo: 58, for: $climb }
      - { name: hold, rate: 58, for: 20s }
      - { name: ebb, rate: 3, for: 40s }
expect:
  - { id: "four up, four down", events: { event: RateLimitSmoothing*, key: alice },
      sequence: 4*RateLimitSmoothingUp 4*RateLimitSmoothingDown }
  - { id: back again, eventually: { gauge: allowance, key: alice, equals: 20, stage: ebb, within: 20s } }
  - { id: events keep apart, gapBetween: { events: RateLimitSmoothing*, key: alice }, atLeast: 5s }
  - { id: step by step, changeOf: { gauge: allowance, key: alice }, in: [-10, 10] }
  - id: within its bounds
    always: { gauge: allowance, key: alice, between: [20, 60] }
    sometimes: [20, 60]            # so the bounds were tried
  - { id: the slow climb passes, where: { climb: 30s }, count: { status: 429 }, equals: 0, among: { atLeast: 2000 } }
  - { id: the steep one does not, where: { climb: 10s }, count: { status: 429, stage: [climb, hold] }, atLeast: 1 }
charts:
  - { title: "demand and allowance", x: time, lines: [offered.rps, gauge.allowance], bars: [status.429], marks: [events] }
`;

/** A short file, for tests that change one place of it. */
export const SMALL = `id: limits/small
title: five a second
proves: [LIM-1]
world:
  apis: { orders: { listen: /orders } }
  keys: { alice: { apis: [orders], rate: 5, per: 1 } }
traffic:
  - { as: alice, send: GET /orders, burst: 8 }
expect:
  - { id: five pass, sequence: { as: alice }, equals: 5*200 3*429 }
`;

/** The name of the file, from its `id`. */
export const fileOf = (text: string): string =>
  `scenarios/${/^id: *(\S+)/m.exec(text)?.[1] ?? "limits/small"}.yaml`;

/** Every problem as the line that a user reads. */
export const problemLines = (text: string): readonly string[] =>
  decode(fileOf(text), text).problems.map(formatProblem);

export function decodeScenario(text: string): Scenario {
  const { scenario, problems } = decode(fileOf(text), text);
  if (scenario === null)
    throw new Error(`the file has errors:\n${problems.map(formatProblem).join("\n")}`);
  return scenario;
}

/** SMALL with one place replaced. */
export function small(place: string, instead: string): string {
  if (!SMALL.includes(place)) throw new Error(`the small file has no ${place}`);
  return SMALL.replace(place, () => instead);
}

/** The problems of a text, without the file and position. */
export const problemsOf = (text: string): readonly string[] =>
  problemLines(text).map((line) => line.replace(/^\S+ (?:error )?/, ""));
