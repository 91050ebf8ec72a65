// The optional parts of a user's own file, and the problems of mistakes in it.
import { expect, test } from "vitest";
import { decode } from "#src/lab/scenario/read/decode.ts";
import { problemLines, SMALL, small } from "./examples.ts";

const S = "scenarios/limits/small.yaml";

test.each([
  ["scenarios/limits/small.yaml", "limits/small"],
  ["small.yml", "small"],
  ["our/Rate Limits/small.yaml", "our/Rate Limits/small"],
  ["scenarios.yaml", "scenarios"],
  ["../x/../small.yaml", "x/small"],
  ["/tmp/small.yaml", "tmp/small"],
  [String.raw`C:\work\small.yaml`, "work/small"],
])("without an id of its own %s is %s", (file, id) => {
  const text = SMALL.replace(/^id: .*\n/, "");
  expect(decode(file, text)).toMatchObject({ scenario: { id, file }, problems: [] });
});

test.each(["a", "a/b/c", "Ticket-4711", "v1.2_x/y"])("%s may be the id of any file", (id) => {
  const text = SMALL.replace(/^id: .*/, `id: ${id}`);
  expect(decode("elsewhere.yaml", text).scenario?.id).toBe(id);
});

test.each(["../a", "a//b", "/a", "a b", ".a"])(
  "%s cannot be an id, which is reported once",
  (id) => {
    const { problems } = decode("a.yaml", SMALL.replace(/^id: .*/, `id: "${id}"`));
    expect(problems.map(({ code, message }) => `${code} ${message}`)).toEqual([
      `SCN-VALUE "${id}" is not an id`,
    ]);
  },
);

test("proves may be left out or empty", () => {
  for (const proves of ["", "proves: []\n"]) {
    const { scenario } = decode("a.yaml", SMALL.replace(/^proves: .*\n/m, proves));
    expect(scenario?.proves).toEqual([]);
    expect(scenario?.variants[0]?.expectations[0]?.proves).toEqual([]);
  }
});

test("consequences of a misspelt name are not reported too", () => {
  expect(problemLines(small("traffic:", "trafic:").replace("5*200", "5x200"))).toEqual([
    `${S}:7:1 error SCN-UNKNOWN-FIELD "trafic" is not a field of a scenario; did you mean "traffic"?`,
    `${S}:10:55 error SCN-VALUE "5x200 3*429" is not a row of statuses; write "5*200 3*429"`,
  ]);
  expect(problemLines(small("traffic:", "trafic:").replace("burst: 8", "burst: many"))).toEqual([
    `${S}:7:1 error SCN-UNKNOWN-FIELD "trafic" is not a field of a scenario; did you mean "traffic"?`,
    `${S}:8:44 error SCN-VALUE "many" is not an integer from 1 to 50000000`,
  ]);
  expect(problemLines(small("rate: 5", "ratee: 5"))).toHaveLength(1);
  expect(problemLines(small("rate: 5", "rate: $rate"))).toHaveLength(1);
  expect(problemLines(small("rate: 5, ", ""))).toEqual([
    expect.stringContaining("per is set without rate"),
  ]);
  expect(problemLines(small("\n  keys:", "\n\tkeys:"))).toHaveLength(1);
});

test.each([
  ["5/s", "write rate: 5, per: 1"],
  ['"5"', "write rate: 5"],
  ["100 per minute", "write rate: 100, per: 60"],
  ["2.5/10min", "write rate: 2.5, per: 600"],
  ["1/ 250 ms", "write rate: 1, per: 0.25"],
])("the fix of rate: %s has numbers", (rate, fix) => {
  const [first = ""] = problemLines(small("rate: 5", `rate: ${rate}`));
  expect(first).toMatch(/ CFG-TYPE rate must be a number; got "/);
  expect(first.split("; ").at(-1)).toBe(fix);
});
