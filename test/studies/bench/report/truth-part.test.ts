// Admitted against allowed requests: on a page, and read from a file.
import { expect, test } from "vitest";
import { truthPart } from "#src/studies/bench/report/truth-part.ts";
import { readTruthResult } from "#src/studies/bench/truth-schema.ts";
import { SECOND } from "#src/kit/units.ts";
import type { RowsFigure } from "#src/lab/report/measured-figures.ts";
import { messageOf } from "../../../kit/reading/message-of.ts";
import { control, subject, truth } from "../truth-results.ts";

const good = truth(subject({}), control);

test("the most in a window has its bound, and over and under are on the two sides of zero", () => {
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
    [true, "good"], // a control should be outside
  ]);
  expect(marks(buckets!)[0]).toEqual([
    "gcra memory",
    ["bar", -12.5, 50],
    ["tick", 5, 5],
    ["tick", -1, -1],
  ]);
  expect(word).toBe("within");
});

test("a limiter outside its bound comes first, and with a warning nothing is proven", () => {
  const outside = subject({
    name: "drl memory",
    faults: ["7 refused while the limit had capacity left"],
    verdict: "outside",
  });
  expect(truthPart(truth(outside, control))).toMatchObject({
    word: "outside",
    doubts: ["drl memory: 7 refused while the limit had capacity left."],
  });
  expect(truthPart({ ...good, warnings: ["busy"] })).toMatchObject({
    word: "unclear",
    doubts: ["busy"],
  });
});

test("a document is read from a file as it was written", () => {
  expect(readTruthResult(JSON.stringify(good))).toEqual(good);
});

const { footer, ...cutOff } = good;
const documentWith = (different: object): string => JSON.stringify({ ...good, ...different });

test.each([
  ["{", "this is not JSON"],
  ["[]", "this is not a document of Weir"],
  [documentWith({ format: "weir-truth/2" }), 'its format is "weir-truth/2"'],
  [JSON.stringify(cutOff), "it has no footer"],
  [
    documentWith({ footer: { ...footer, outside: 1 } }),
    "footer.outside: it is 1, and the document has 0",
  ],
  [
    documentWith({ subjects: [subject({ verdict: "outside" }), control] }),
    "subjects.0.verdict: gcra memory has the verdict outside, which does not agree with its 0 violations",
  ],
  [
    documentWith({ subjects: [subject({}), { ...control, faults: [], verdict: "within" }] }),
    "subjects.1.lengths: twice the rate has the verdict within, but admitted",
  ],
  [
    documentWith({
      subjects: [subject({ most: 100, lengths: [{ us: SECOND, most: 100, stated: 99 }] }), control],
    }),
    "subjects.0.lengths: gcra memory has the verdict within, but admitted 100, more than its bound 99",
  ],
  [
    documentWith({ subjects: [subject({ most: 60 }), control] }),
    'subjects.0.most: gcra memory has 60, but "lengths" has 75 for the same window',
  ],
  [documentWith({ limit: { rate: 50 } }), "limit.perUs: Invalid input"],
])("%.30s is refused: %s", (document, sentence) => {
  expect(messageOf(readTruthResult(document))).toContain(sentence);
});
