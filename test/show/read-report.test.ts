import { expect, test } from "vitest";
import { readReport } from "#src/cli/read-report.node.ts";
import { reportOf, scenarioReport } from "#src/lab/report/build/report-of.ts";
import { digest } from "#src/lab/scenario/history/digest.node.ts";
import { messageOf } from "../kit/reading/message-of.ts";
import { runReport } from "./small-runs.ts";
import { RUN } from "./report-with.ts";

const charts = `charts:
  - { title: asked, x: time, lines: [offered.rps, gauge.entries], bars: [status.*], marks: [events] }`;
const scenarios = [
  runReport({ traffic: "burst: 8" }),
  runReport({ traffic: "rate: 20, for: 20s", algorithm: "sliding_log", charts }),
  runReport({
    traffic: "rate: 20, for: 20s",
    matrix: "matrix: { by: [gcra, drl] }",
    algorithm: "$by",
  }),
].map((each) => scenarioReport(each, "its text"));
const report = reportOf(RUN, scenarios, (text) => digest([text]));
const text = JSON.stringify(report);

test("a written document is read unchanged", () => {
  expect(readReport(text)).toEqual(report);
  expect(scenarios[2]!.figures.length).toBeGreaterThan(0);
});

test.each([
  ["no longer whole", text.slice(0, -9), /^this is not JSON, or it was cut off: /],
  [
    "of another format",
    text.replace("weir-report/3", "weir-report/1"),
    /weir-report\/1.*renders weir-report\/3/,
  ],
  [
    "without its end",
    JSON.stringify({ ...report, footer: undefined }),
    /^it has no footer: it was cut off$/,
  ],
  [
    "changed by hand",
    text.replace('"observed":"8 of 8"', '"observed":"9 of 9"'),
    /^scenarios\.0: something in limits\/small was changed after it was saved$/,
  ],
  [
    "with a field beside the others",
    text.replace("{", '{"mine":1,'),
    /^at its top: Unrecognized key: "mine"$/,
  ],
  [
    "without a format",
    "{}",
    /^it has no "format", and this version of Weir renders weir-report\/3$/,
  ],
  [
    "with a wrong count",
    text.replace('"passed":4', '"passed":5'),
    /^footer\.passed: 5 is given, but there are 4$/,
  ],
  [
    "with a field that is no field",
    text.replace('"shows":', '"show":'),
    /^scenarios\.1\.variants\.0\.figures/,
  ],
])("a document %s is reported, and not read", (_, changed, expected) => {
  expect(changed).not.toBe(text);
  expect(messageOf(readReport(changed))).toMatch(expected);
});

test.each([
  ['"isComplete":true', '"isComplete":false'],
  ['"seed":1,"argv"', '"seed":2,"argv"'],
  ['"argv":["run"]', '"argv":["run","--bail"]'],
  ['"commit":null', '"commit":"0123456789abcdef"'],
  ['"isBuilt":true', '"isBuilt":false'],
])("where %s was written, %s is not read", (was, is) => {
  expect(text).toContain(was);
  expect(messageOf(readReport(text.replace(was, is)))).toBe(
    "footer.head: something other than the scenarios was changed after it was saved",
  );
});
