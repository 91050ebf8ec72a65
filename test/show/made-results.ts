// Results as a run could have them, one of each outcome, and hostile names.
import type { Result } from "#src/lab/scenario/verdict.ts";
import { result, verdict } from "../histories/result.ts";

const failing = verdict({
  outcome: "fail",
  observed: "6*200",
  evidence: [5],
  requests: ["first:6"],
});

export const HOSTILE =
  '100% | `ls` ``` **b** <script>alert(1)</script> ]]> & "it\'s", a:b::error::\u0001\u001B[31m\uD800\r\n## @all\n\n--> $x$';

export const EVERY_OUTCOME: readonly Result[] = [
  result(),
  result({ scenario: "limits/two", variant: "algorithm=fixed_window" }),
  result({
    scenario: "limits/two",
    variant: "algorithm=sliding_log",
    outcome: "fail",
    verdicts: [failing, verdict({ expectation: "and then it is quiet", line: 16 })],
  }),
  result({
    scenario: "limits/two",
    variant: "algorithm=gcra",
    outcome: "fail",
    verdicts: [failing],
  }),
  result({
    scenario: "limits/broken",
    outcome: "error",
    verdicts: [verdict({ outcome: "error", observed: "no gauge has that name" })],
  }),
  result({
    scenario: "limits/vacuous",
    outcome: "vacuous",
    verdicts: [verdict({ outcome: "vacuous", observed: "nothing", examined: 0 })],
  }),
  result({ scenario: "limits/unasked", outcome: "vacuous", verdicts: [] }),
  result({
    scenario: "limits/open",
    outcome: "inconclusive",
    verdicts: [verdict({ outcome: "inconclusive", observed: "[4, 6]" })],
  }),
  result({
    scenario: "limits/late",
    driver: "redis",
    outcome: "inconclusive",
    verdicts: [verdict({ outcome: "inconclusive", observed: "[4, 6]" })],
  }),
  result({
    scenario: "limits/skew",
    driver: "redis",
    outcome: "unsupported",
    unsupported: ["clocks that differ cannot be had", "it lasts 2h, and --max-duration is 1m"],
    verdicts: [],
  }),
];

export const HOSTILE_RESULTS: readonly Result[] = [
  result({
    scenario: "limits/hostile",
    file: `scenarios/${HOSTILE}.yaml`,
    variant: `name=${HOSTILE}`,
    outcome: "fail",
    verdicts: [
      verdict({ expectation: HOSTILE, expected: HOSTILE, observed: HOSTILE, outcome: "fail" }),
    ],
  }),
  result({
    scenario: "limits/hostile",
    variant: "unsupported",
    driver: HOSTILE,
    outcome: "unsupported",
    unsupported: [HOSTILE],
    verdicts: [],
  }),
];
