// A result and its samples, from a handful of repeats to the content of a report page.
import { expect, test } from "vitest";
import { createHistogram } from "#src/studies/bench/load/latencies.ts";
import { benchPart } from "#src/studies/bench/report/bench-part.ts";
import { distributionOf } from "#src/studies/bench/report/latency.ts";
import { readSamples, type SampledLatency } from "#src/studies/bench/report/samples.ts";
import { isFailure } from "#src/kit/reading/failure.ts";
import type { RowsFigure } from "#src/lab/report/measured-figures.ts";
import { partOfMeasured } from "#src/show/html/measured.ts";
import type { MeasuredPart } from "#src/lab/report/measured.ts";
import { messageOf } from "../../../kit/reading/message-of.ts";
import { cellOf, gate, resultOf } from "../bench-results.ts";

const sly = `</script><script>alert(1)</script><img src=x onerror="alert(2)">`;

const cells = [
  cellOf("base", { cpu: [40, 50, 60, 50, 45], throughput: [500, 500, 500, 500, 500] }),
  cellOf("algorithm=gcra", { cpu: [80], throughput: [1_000] }),
  cellOf("upstream", { cpu: [20, 25, 30, 25, 22] }, "upstream"),
];
const result = resultOf(cells, [gate("cpu")], {
  warnings: [`the machine was busy ${sly}`],
  samples: "made.ndjson",
});

const rowsOf = ({ sections }: MeasuredPart): readonly RowsFigure[] =>
  sections.flatMap(({ figures }) => figures).filter((one) => one.kind === "rows");

test("a row has every repeat, the median, and the range where repeats are few", () => {
  const [cpu] = rowsOf(benchPart(result, null));
  const [base, few, control] = cpu!.rows;
  const dots = (row: typeof base): readonly number[] =>
    row!.marks.filter(({ shape }) => shape === "dot").map(({ from }) => from);
  expect(dots(base)).toEqual([40, 50, 60, 50, 45]);
  expect(base!.marks.at(-1)).toMatchObject({ shape: "tick", from: 50 });
  expect(base!.value).toBe("50 us, x 2"); // round by round relative to the upstream
  expect(few!.marks[0]).toMatchObject({ shape: "rule", from: 80, to: 80 });
  expect(few!.marks[0]!.tip).toContain("of 1 repeats");
  expect(control).toMatchObject({ what: "upstream", isControl: true, tone: "control" });
  expect(cpu!.references).toEqual([{ at: 25, what: "median of upstream" }]);
});

test("warnings come before any figure, and no text becomes markup", () => {
  const part = benchPart({ ...result, suite: { ...result.suite, title: sly } }, null);
  const html = String(partOfMeasured("document-1", part).html(new Map()));
  expect(html).not.toMatch(/<script|<img|onerror="/);
  const doubt = html.indexOf("the machine was busy &lt;/script&gt;");
  expect(doubt).toBeGreaterThan(html.indexOf("<h1>"));
  expect(doubt).toBeLessThan(html.indexOf("<figure"));
});

test("without samples a note names the missing figures, and those of the result are shown", () => {
  const { sections } = benchPart(result, null);
  expect(sections[1]!.notes[0]).toContain("made.ndjson, are not in the folder of this result");
});

test("the page of a stopped run has a word for it, and a busy machine is left to the answer", () => {
  const machine = { ...result.machine, busy: result.warnings[0]! };
  const part = benchPart({ ...result, machine, stopped: "it was interrupted" }, null);
  expect([part.word, part.doubts]).toEqual(["partial", []]);
});

// ---------------------------------------------------------------- latency of responses

const latency = (...us: readonly number[]): SampledLatency => {
  const times = createHistogram();
  for (const one of us) times.record(one);
  return { ...times.quantiles()!, histogram: times.encode() };
};

test("histograms of all repeats are one distribution, and its last point is the longest response", () => {
  const thousands = (count: number, us: number): readonly number[] =>
    Array.from({ length: count }, () => us);
  const { oneIn, values } = distributionOf([
    latency(...thousands(90, 1_000), ...thousands(9, 2_000)),
    latency(8_000),
  ]);
  const at = (wanted: number): number => values[oneIn.indexOf(wanted)]!;
  expect([at(2), at(20), at(100)].map((ms) => Number(ms.toPrecision(2)))).toEqual([1, 2, 8]);
  expect(oneIn.at(-1)).toBe(100);
  expect(oneIn).toEqual(oneIn.toSorted((a, b) => a - b));
});

test("samples without histograms have five points, of which only those with enough responses are shown", () => {
  const older = [1_000, 3_000, 2_000].map((p50Us) => ({
    ...latency(p50Us),
    count: 200,
    p50Us,
    p90Us: 4_000,
    p99Us: 5_000,
    p999Us: 6_000,
    maxUs: 7_000 + p50Us,
    histogram: null,
  }));
  expect(distributionOf(older)).toEqual({ oneIn: [2, 10, 100, 600], values: [2, 4, 5, 10] });
});

// ---------------------------------------------------------------- the file of samples

const header = { format: "weir-bench-samples/1" };
const small = resultOf([cellOf("base", { cpu: [50], throughput: [1_000] })], []);
const look = (atUs: number, cpuUs: number): object => ({
  what: "processes",
  cell: "base",
  atUs,
  gateway: { cpuUs, rssBytes: 2 ** 20 },
  load: null,
});
const repeat = (different: object = {}): object => ({
  what: "repeat",
  cell: "base",
  round: 0,
  atSeconds: 10,
  answers: 1_000,
  load: { latency: { all: latency(1_000) }, histogram: latency(1_000).histogram },
  ...different,
});
const lines = (...all: readonly object[]): string =>
  all.map((one) => `${JSON.stringify(one)}\n`).join("");

test("readings before the clock went back are left out, and shares are of the time between two readings", () => {
  const warm = [look(250_000, 0), look(500_000, 1)];
  const seen = [look(200_000, 1_000), look(400_000, 101_000)];
  const read = readSamples(lines(header, ...warm, ...seen, repeat()), small);
  expect(read).toMatchObject({
    repeats: [
      { cell: "base", processes: [{ fromS: 10.2, toS: 10.4, core: 0.5, rssBytes: 2 ** 20 }] },
    ],
  });
  const { sections } = benchPart(small, isFailure(read) ? null : read);
  const lanes = sections[2]!.figures.flatMap((one) => (one.kind === "lanes" ? one.lanes : []));
  expect(lanes.map(({ values }) => values)).toEqual([[50], [1]]); // % of a core, MiB
  expect(sections[1]!.figures.map(({ kind }) => kind)).toEqual(["percentiles"]);
});

test.each([
  ["", "line 1: this is not JSON"],
  [lines({ format: "weir-bench-samples/2" }, repeat()), "line 1: format: "],
  [`${lines(header)}{"what":`, "line 2: this is not JSON"],
  [lines(header, { ...look(-1, 0) }), "line 2: atUs: Too small"],
  [lines(header, repeat({ answers: 999 })), "line 2: the result has no such repeat of base"],
  [lines(header, repeat(), repeat()), "line 3: the result has no such repeat of base"],
  [lines(header), "the repeat base/0 is missing: the file was cut off"],
])("samples %.60j are refused: %s", (text, sentence) => {
  expect(messageOf(readSamples(text, small))).toContain(sentence);
});
