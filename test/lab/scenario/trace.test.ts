import { describe, expect, test } from "vitest";
import { Failure } from "#src/kit/reading/failure.ts";
import { decode } from "#src/lab/scenario/read/decode.ts";
import { formatProblem } from "#src/kit/reading/source.ts";
import type { TraceFileReader } from "#src/lab/scenario/read/trace.ts";
import { MERGE, small } from "./examples.ts";

const FILE = "scenarios/limits/small.yaml";
const withTrace = (name: string): string => small("burst: 8", `trace: { file: ${name} }`);

const files = (texts: Readonly<Record<string, string>>): TraceFileReader => {
  return (name) =>
    Object.hasOwn(texts, name) ? texts[name]! : new Failure(`${name}: there is none`);
};

describe("a trace in a file of the scenario's folder", () => {
  test.each([
    ["day.csv", "time,path\r\n0.5,/a\r\n0.25,/b\r\n"],
    ["logs/day.ndjson", '{"at": 0.5, "path": "/a"}\n{"at": "250ms"}\n'],
    ["plain", "500ms\n250ms"],
  ])("%s has the times of its lines, in order", (name, text) => {
    const { scenario, problems } = decode(FILE, withTrace(name), files({ [name]: text }));
    expect(problems).toEqual([]);
    expect(scenario?.variants[0]?.traffic[0]?.shape).toEqual({
      kind: "trace",
      timesUs: [250_000, 500_000],
    });
  });

  test.each([
    [
      "day.csv",
      '8:52 error SCN-VALUE line 3 of "day.csv", "soon,/b", does not begin with a time; write seconds since the start ("1.25"), at most a year, or a duration ("1250ms"), or {"at": 1.25}',
    ],
    // A Unix time is long after the start.
    [
      "wall.csv",
      '8:52 error SCN-VALUE line 2 of "wall.csv", "1760000000", does not begin with a time; write seconds since the start ("1.25"), at most a year, or a duration ("1250ms"), or {"at": 1.25}',
    ],
    // A number in another base is not a time.
    [
      "hex.csv",
      '8:52 error SCN-VALUE line 2 of "hex.csv", "0x10", does not begin with a time; write seconds since the start ("1.25"), at most a year, or a duration ("1250ms"), or {"at": 1.25}',
    ],
    [
      "empty.csv",
      '8:52 error SCN-VALUE "empty.csv" has no times; begin the line of each request with seconds since the start ("1.25"), at most a year, or a duration ("1250ms"), or {"at": 1.25}; from an access log, extract these times',
    ],
    ["none.csv", "8:52 error SCN-VALUE the trace cannot be read: none.csv: there is none"],
    [
      "../day.csv",
      '8:52 error SCN-VALUE "../day.csv" is not the name of a file; write a name, or folder/name, as seen from the folder of the scenario',
    ],
    [
      "/day.csv",
      '8:52 error SCN-VALUE "/day.csv" is not the name of a file; write a name, or folder/name, as seen from the folder of the scenario',
    ],
  ])("%s is reported at its name", (name, line) => {
    const readTraceFile = files({
      "day.csv": "time,path\n1,/a\nsoon,/b\n",
      "empty.csv": "\n",
      "wall.csv": "31536000\n1760000000\n",
      "hex.csv": "1\n0x10\n",
    });
    const { problems } = decode(FILE, withTrace(name), readTraceFile);
    expect(problems.map(formatProblem)).toEqual([`${FILE}:${line}`]);
  });

  test("excludes times in the scenario", () => {
    for (const trace of ["{ file: day.csv, times: [1s] }", "{}"]) {
      const { problems } = decode(FILE, small("burst: 8", `trace: ${trace}`), files({}));
      expect(problems.map(formatProblem)).toEqual([
        `${FILE}:8:37 error SCN-ONE-OF a trace needs "times" or "file", one of the two`,
      ]);
    }
  });

  test("is read once for all variants", () => {
    let read = 0;
    const text = MERGE.replace("burst: 8, at: 0s", "trace: { file: day.csv }");
    const { scenario } = decode("scenarios/policy-merge/winner-takes-both.yaml", text, () => {
      read += 1;
      return "0\n0\n0";
    });
    const shapes = scenario?.variants.map(({ traffic }) => JSON.stringify(traffic[0]?.shape));
    expect(shapes).toEqual(Array(6).fill('{"kind":"trace","timesUs":[0,0,0]}'));
    expect(read).toBe(1);
  });

  test("cannot be read without files", () => {
    expect(decode(FILE, withTrace("day.csv")).problems.map(formatProblem)).toEqual([
      `${FILE}:8:52 error SCN-VALUE the trace cannot be read: this scenario is in no folder, so it has no trace files; list the times in the scenario`,
    ]);
  });
});
