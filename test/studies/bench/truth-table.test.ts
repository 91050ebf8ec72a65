import { expect, test } from "vitest";
import { truthLines } from "#src/studies/bench/truth-table.ts";
import type { SubjectTruth } from "#src/studies/bench/truth-schema.ts";
import { micros, SECOND } from "#src/kit/units.ts";
import { PLAIN } from "./bench-results.ts";
import { subject } from "./truth-results.ts";

const seconds = (count: number) => micros(count * SECOND);

const gcra = subject({
  byGateway: [
    {
      us: SECOND,
      count: 20,
      overshoot: { worst: 1, mean: 0.05 },
      undershoot: { worst: 0.125, mean: 0.01 },
    },
    {
      us: seconds(20),
      count: 1,
      overshoot: { worst: 0.05, mean: 0.05 },
      undershoot: { worst: 0, mean: 0 },
    },
  ],
  most: 99,
  bound: { most: 99, because: "50 at once, and 50 - 1 paid back" },
  lengths: [],
});

const result = { limit: { rate: 50, perUs: SECOND }, perSecond: 100 };

test("a line has the deviation in each length of bucket, and the bound", () => {
  const counter: SubjectTruth = {
    ...gcra,
    name: "sliding_window_counter memory",
    bound: { most: null, because: "LIM-C11 has it as a measured error" },
  };
  const wrong: SubjectTruth = {
    ...gcra,
    name: "drl memory",
    tooSoon: 7,
    faults: [
      "495 in 5s, where at most 299 are allowed",
      "7 refused while the limit had capacity left",
    ],
    verdict: "outside",
  };
  const control: SubjectTruth = {
    ...gcra,
    name: "twice",
    role: "control",
    most: 128,
    faults: ["128 in 1s, where at most 99 are allowed"],
    verdict: "outside",
  };
  expect(truthLines({ ...result, subjects: [gcra, counter, wrong, control] }, PLAIN)).toEqual(
    [
      "                               admitted         worst 1s  worst 20s  mean 20s  most in 1s  bound  too soon",
      "gcra memory                       1,050  +100 % -12.5 %    +5 % -0  +5 % -0          99     99         0   within",
      "sliding_window_counter memory     1,050  +100 % -12.5 %    +5 % -0  +5 % -0          99                0   within",
      "drl memory                        1,050  +100 % -12.5 %    +5 % -0  +5 % -0          99     99         7  outside",
      "(twice)                           1,050  +100 % -12.5 %    +5 % -0  +5 % -0         128     99         0  outside",
      "drl memory is outside: 495 in 5s, where at most 299 are allowed",
      "drl memory is outside: 7 refused while the limit had capacity left",
    ].map((line) => expect.stringMatching(pattern(line)) as unknown),
  );
});

/** Widths are the table's own business. */
const pattern = (line: string): RegExp =>
  new RegExp(
    `^${line
      .trimEnd()
      .replaceAll(/[.*+?()[\]\\|^$]/g, String.raw`\$&`)
      .replaceAll(/ +/g, " +")}$`,
  );

test("a run that ended before it began has no table", () => {
  expect(truthLines({ ...result, subjects: [] }, PLAIN)).toEqual([]);
});
