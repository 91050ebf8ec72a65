// What was admitted against what is allowed: drawn, and read again from a file.
import { expect, test } from "vitest";
import { truthPart } from "../../../src/bench/report/truth-part.ts";
import { readTruthResult, truthFooterOf } from "../../../src/bench/truth-schema.ts";
import { TRUTH_FORMAT, type TruthOf, type TruthResult } from "../../../src/bench/truth.ts";
import { SECOND } from "../../../src/core/units.ts";
import type { RowsFigure } from "../../../src/report/figures/measured/figures.ts";
import { resultOf } from "../made-results.ts";

const subject = (different: Partial<TruthOf>): TruthOf => ({
  name: "gcra memory",
  role: "cell",
  algorithm: "gcra",
  store: "memory",
  rate: 50,
  answers: 2_000,
  admitted: 1_050,
  errors: 0,
  byGateway: [
    {
      us: SECOND,
      count: 20,
      overshoot: { worst: 0.5, mean: 0.05 },
      undershoot: { worst: 0.125, mean: 0.01 },
    },
  ],
  bySender: [],
  most: 75,
  inFlight: 2,
  bound: { most: 99, because: "50 at once" },
  lengths: [{ us: SECOND, most: 75, stated: 99 }],
  tooSoon: 0,
  faults: [],
  verdict: "within",
  ...different,
});

const control = subject({
  name: "twice the rate",
  role: "control",
  most: 120,
  lengths: [{ us: SECOND, most: 120, stated: 99 }],
  faults: ["120 in 1s where 99 are the most"],
  verdict: "outside",
});

function truth(...subjects: readonly TruthOf[]): TruthResult {
  const { machine } = resultOf([], []);
  return {
    format: TRUTH_FORMAT,
    suite: { id: "truth", title: "What is admitted" },
    startedAt: "2026-01-02T03:04:05.000Z",
    tookSeconds: 60,
    argv: ["bench", "truth"],
    seed: 1,
    machine,
    limit: { rate: 50, perUs: SECOND },
    perSecond: 100,
    lastsUs: SECOND,
    subjects,
    stopped: null,
    warnings: [],
    footer: truthFooterOf(subjects),
  };
}

const good = truth(subject({}), control);

test("the most in a window stands beside its bound, and over and under to the two sides of nothing", () => {
  const { sections, word } = truthPart(good);
  const [most, buckets] = sections.flatMap(({ figures }) => figures) as readonly RowsFigure[];
  const marks = ({ rows }: RowsFigure): readonly unknown[] =>
    rows.map((row) => [row.what, ...row.marks.map(({ shape, from, to }) => [shape, from, to])]);
  expect(marks(most!)).toEqual([
    ["gcra memory", ["bar", 0, 75], ["tick", 99, 99]],
    ["twice the rate", ["bar", 0, 120], ["tick", 99, 99]],
  ]);
  expect(most!.rows.map(({ isControl, tone }) => [isControl, tone])).toEqual([
    [false, "good"],
    [true, "good"], // it is meant to be seen
  ]);
  expect(marks(buckets!)[0]).toEqual([
    "gcra memory",
    ["bar", -12.5, 50],
    ["tick", 5, 5],
    ["tick", -1, -1],
  ]);
  expect(word).toBe("within");
});

test("who is outside is told first, and a warning leaves nothing shown", () => {
  const outside = subject({
    name: "drl memory",
    faults: ["7 refused while there was room"],
    verdict: "outside",
  });
  expect(truthPart(truth(outside, control))).toMatchObject({
    word: "outside",
    doubts: ["drl memory: 7 refused while there was room."],
  });
  expect(truthPart({ ...good, warnings: ["busy"] })).toMatchObject({
    word: "unclear",
    doubts: ["busy"],
  });
});

test("a document comes back from a file as it was", () => {
  expect(readTruthResult(JSON.stringify(good))).toEqual(good);
});

const { footer, ...cutOff } = good;
const changed = (different: object): string => JSON.stringify({ ...good, ...different });

test.each([
  ["{", "this is no JSON"],
  ["[]", "this is no document of Weir"],
  [changed({ format: "weir-truth/2" }), 'its format is "weir-truth/2"'],
  [JSON.stringify(cutOff), "it has no footer"],
  [changed({ footer: { ...footer, outside: 1 } }), "footer.outside: it says 1, but there are 0"],
  [
    changed({ subjects: [subject({ verdict: "outside" }), control] }),
    "subjects.0.verdict: gcra memory is told to be outside",
  ],
  [
    changed({ subjects: [subject({}), { ...control, faults: [], verdict: "within" }] }),
    "subjects.1.lengths: twice the rate is told to be within",
  ],
  [
    changed({ subjects: [subject({ most: 60 }), control] }),
    "subjects.0.most: 60 is told of gcra memory, and its windows say 75",
  ],
  [changed({ limit: { rate: 50 } }), "limit.perUs: Invalid input"],
])("%.30s is refused: %s", (document, sentence) => {
  expect(readTruthResult(document)).toContain(sentence);
});
