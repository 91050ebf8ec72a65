import { expect, test } from "vitest";
import { warningsOf } from "#src/studies/bench/warnings.ts";
import type { LoadFigures, OpenLoopSending } from "#src/studies/bench/load/load.ts";
import type { Factors } from "#src/studies/bench/suite.ts";
import { micros } from "#src/kit/units.ts";
import { suite } from "./bench-suite.ts";

interface Made {
  readonly factors?: Partial<Factors> | null; // null: a control
  readonly statuses?: Readonly<Record<string, number>>;
  readonly unanswered?: number;
  readonly sending?: OpenLoopSending;
}

const { base } = suite();

function loadOf({ factors = {}, statuses = { 200: 100 }, unanswered = 0, sending }: Made) {
  const answers = Object.values(statuses).reduce((sum, count) => sum + count, 0);
  const figures: LoadFigures = {
    tookUs: micros(1_000_000),
    sent: answers + unanswered,
    isCut: false,
    answers,
    statuses,
    unanswered,
    latency: { all: null, admitted: null, refused: null },
    histogram: null,
    sending: sending ?? null,
    cpuUs: micros(0),
    busy: 0,
  };
  const strange = Object.entries(statuses)
    .filter(([status]) => status !== "200" && status !== "429")
    .reduce((sum, [, count]) => sum + count, 0);
  const subject = {
    name: factors === null ? "control" : "cell",
    role: factors === null ? "control" : "cell",
    loadFactors: { ...base, ...factors },
    factors: factors === null ? null : { ...base, ...factors },
    control: null,
  } as const;
  return {
    subject,
    figures,
    repeat: { round: 0, atSeconds: 0, answers, errors: unanswered + strange, metrics: {} },
  };
}

const doubts = (made: Made): readonly string[] => warningsOf({ keyCount: 100 }, [loadOf(made)]);

test.each([
  ["what is never refused", {}],
  ["half refused at twice the limit", { factors: { demand: 2 }, statuses: { 200: 50, 429: 50 } }],
  ["nearly 70 %", { factors: { demand: 2 }, statuses: { 200: 31, 429: 69 } }],
  [
    "more in a closed loop, where a refusal is soon over",
    { factors: { demand: 2 }, statuses: { 200: 20, 429: 80 } },
  ],
  [
    "nearly all, by a log that counts refused requests",
    {
      factors: { algorithm: "sliding_log" as const, demand: 2, load_model: "poisson" as const },
      statuses: { 200: 1, 429: 99 },
    },
  ],
  ["some at the limit", { factors: { demand: 1 }, statuses: { 200: 90, 429: 10 } }],
  ["the busy ones of Zipf", { factors: { keys: "zipf" as const }, statuses: { 200: 75, 429: 25 } }],
])("%s is no reason to doubt", (_what, made) => {
  expect(doubts(made)).toEqual([]);
});

test.each([
  [
    { statuses: { 200: 999, 429: 1 } },
    "cell: 0.1 % were refused, although the load is below every limit",
  ],
  [
    { factors: null, statuses: { 200: 9, 429: 1 } },
    "control: 10 % were refused, although the load is below every limit",
  ],
  [
    { factors: { demand: 2 }, statuses: { 200: 71, 429: 29 } },
    "cell: 29 % were refused, and about 50 % are expected",
  ],
  [
    { factors: { demand: 2, load_model: "poisson" as const }, statuses: { 200: 29, 429: 71 } },
    "cell: 71 % were refused, and about 50 % are expected",
  ],
  [
    {
      factors: { algorithm: "sliding_log" as const, demand: 2 },
      statuses: { 200: 50, 429: 50 },
    },
    "cell: 50 % were refused, and about 100 % are expected",
  ],
  [
    { factors: { demand: 10 }, statuses: { 200: 100 } },
    "cell: 0 % were refused, and about 90 % are expected",
  ],
  [
    { statuses: { 200: 90, 502: 4, 403: 1 }, unanswered: 2 },
    "cell: 7 errors (2 without an answer, 1 with 403, 4 with 502)",
  ],
  [
    { sending: { planned: 100, dropped: 0, late: null, overran: "its processor was full" } },
    "cell: the load generator overran in 1 of 1 repeats: its processor was full",
  ],
])("%j is a warning", (made, doubt) => {
  expect(doubts(made)).toEqual([doubt]);
});

test("a slow repeat does not offset the others", () => {
  const one = loadOf({ factors: { demand: 2, load_model: "constant" } });
  const all = [15, 73, 75].map((refused) => ({
    ...one,
    figures: { ...one.figures, statuses: { 200: 100 - refused, 429: refused } },
  }));
  expect(warningsOf({ keyCount: 1 }, all)).toEqual([
    "cell: 54 % were refused (15 % to 75 % in single repeats), and about 50 % are expected",
  ]);
});

test("a target gateway may refuse any share, and its errors are a warning", () => {
  const refusing = loadOf({ statuses: { 200: 1, 429: 9 } });
  expect(warningsOf({ keyCount: 1 }, [refusing], true)).toEqual([]);
  const failing = loadOf({ statuses: { 200: 1, 500: 9 } });
  expect(warningsOf({ keyCount: 1 }, [failing], true)).toEqual(["cell: 9 errors (9 with 500)"]);
});
