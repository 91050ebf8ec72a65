import { expect, test } from "vitest";
import { compare } from "#src/studies/bench/compare/compare.ts";
import type { BenchComparison } from "#src/studies/bench/compare/comparison.ts";
import { markdownOf } from "#src/studies/bench/compare/markdown.ts";
import { linesOf } from "#src/studies/bench/compare/text.ts";
import type { BenchResult, BenchCellResult } from "#src/studies/bench/result.ts";
import type { Gate } from "#src/studies/bench/suite.ts";
import { cellOf, gate, PLAIN, resultOf } from "../bench-results.ts";

const around = (middle: number, noise = 0.01): readonly number[] =>
  Array.from({ length: 10 }, (_, at) => middle * (1 + noise * (at / 4.5 - 1)));

const run = (
  cells: readonly BenchCellResult[],
  gates: readonly Gate[] = [gate("cpu")],
): BenchResult => resultOf(cells, gates);
const question = { minEffect: 0.03, alpha: 0.05, seed: 1 };
const compareRuns = (base: BenchResult, head: BenchResult): BenchComparison =>
  compare(base, head, question, []);

test("each gate and each other metric of both runs gets a verdict", () => {
  const gates = [gate("cpu"), gate("throughput")];
  const base = run(
    [cellOf("base", { cpu: around(50), throughput: around(900), p99: around(4) })],
    gates,
  );
  const head = run(
    [cellOf("base", { cpu: around(55), throughput: around(901), p99: around(3) })],
    gates,
  );
  const { word, gates: judged, shown } = compareRuns(base, head);
  expect(word).toBe("regressed");
  expect(judged.map(({ metric, verdict }) => [metric, verdict.word])).toEqual([
    ["cpu", "regressed"],
    ["throughput", "same"],
  ]);
  expect(shown.map(({ metric, verdict }) => [metric, verdict.word])).toEqual([["p99", "improved"]]);
});

test("gates are corrected for their number, metrics that are only shown are not", () => {
  const names = ["a", "b", "c", "d"];
  const cells = (middle: number): readonly BenchCellResult[] =>
    names.map((name) => cellOf(name, { cpu: around(middle), p50: around(middle) }));
  const gates = names.map((name) => gate("cpu", name));
  const { gates: judged, shown } = compareRuns(run(cells(50), gates), run(cells(55), gates));
  // The smallest is multiplied by four, and none falls below it.
  const least = Math.min(...judged.map(({ evidence }) => evidence!.p));
  expect(Math.min(...judged.map(({ p }) => p!))).toBeCloseTo(4 * least, 10);
  for (const { p, evidence } of shown) expect(p).toBe(evidence!.p);
});

test("rounds of two runs are no pairs", () => {
  // As pairs, a head that is 1 % above in each round would be found at once.
  const base = around(50, 0.5);
  const head = base.map((value) => value * 1.04);
  const word = (values: readonly number[]): string =>
    compareRuns(run([cellOf("base", { cpu: base })]), run([cellOf("base", { cpu: values })])).word;
  expect(word(head)).toBe("unclear");
  expect(word(head.toReversed())).toBe("unclear");
});

test("one seed gives the same comparison", () => {
  const [base, head] = [50, 51].map((middle) =>
    run([cellOf("base", { cpu: around(middle, 0.1) })]),
  );
  expect(compareRuns(base!, head!)).toEqual(compareRuns(base!, head!));
});

test.each([
  { heads: { x: 55, y: 50 }, word: "regressed" },
  { heads: { x: 45, y: 55 }, word: "regressed" },
  { heads: { x: 45, y: 50 }, word: "improved" },
  { heads: { x: 50, y: 50 }, word: "same" },
  { heads: { x: 45 }, word: "unclear" }, // y was not measured
])("with gates at $heads instead of 50 each, all is $word", ({ heads, word }) => {
  const gates = [gate("cpu", "x"), gate("cpu", "y")];
  const cells = (middles: object): readonly BenchCellResult[] =>
    Object.entries(middles).map(([name, middle]) =>
      cellOf(name, { cpu: around(middle as number) }),
    );
  expect(compareRuns(run(cells({ x: 50, y: 50 }), gates), run(cells(heads), gates)).word).toBe(
    word,
  );
});

test("a suite without gates is unclear, which is no pass", () => {
  const base = run([cellOf("base", { cpu: around(50) })], []);
  expect(compareRuns(base, base).word).toBe("unclear");
});

const OUTSIDE = ["upstream", "bare-proxy", "fastify"] as const;

const withControls = (cpu: number, controls: readonly number[]): BenchResult =>
  run([
    cellOf("base", { cpu: around(cpu) }),
    cellOf("unlimited", { cpu: around(cpu) }, "unlimited"),
    ...controls.map((middle, at) => cellOf(OUTSIDE[at]!, { cpu: around(middle) }, OUTSIDE[at])),
  ]);

test("a change that the controls share is a change of the machine", () => {
  const slower = compareRuns(withControls(50, [10, 20, 30]), withControls(55, [11, 22, 33]));
  expect(slower.moved).toEqual([
    { control: "the median of the controls", metric: "cpu", ratio: expect.closeTo(1.1, 3) },
  ]);
  // Controls are not divided by themselves, and Weir without a limit is no control here.
  expect(slower.shown.map(({ cell, verdict }) => [cell, verdict.word])).toEqual([
    ["unlimited", "unclear"],
    ["upstream", "regressed"],
    ["bare-proxy", "regressed"],
    ["fastify", "regressed"],
  ]);
});

test.each([
  { controls: [10, 20, 30], heads: [11, 22, 33], cpu: 55, word: "unclear" },
  { controls: [10, 20, 30], heads: [10, 20, 33], cpu: 55, word: "regressed" }, // one control with a problem of its own
  { controls: [10, 20, 30], heads: [11, 22, 33], cpu: 65, word: "regressed" }, // by more than they
  { controls: [10, 20, 30], heads: [10, 20, 33], cpu: 50, word: "same" },
  // With two, nothing shows which one is right, and neither counts as half a change of the machine.
  { controls: [10, 20], heads: [10, 22], cpu: 55, word: "unclear" },
  { controls: [10, 20], heads: [10, 22], cpu: 50, word: "unclear" },
  { controls: [10, 20], heads: [10, 20], cpu: 55, word: "regressed" },
  { controls: [10], heads: [11], cpu: 55, word: "unclear" },
  { controls: [10], heads: [11], cpu: 50, word: "unclear" },
  { controls: [10], heads: [9], cpu: 50, word: "unclear" },
  { controls: [10], heads: [10], cpu: 55, word: "regressed" },
])(
  "relative to controls that went from $controls to $heads, 50 and $cpu is $word",
  ({ controls, heads, cpu, word }) => {
    expect(compareRuns(withControls(50, controls), withControls(cpu, heads)).word).toBe(word);
  },
);

test("only repeats of one round are divided by each other", () => {
  const [base, head] = [withControls(50, [10]), withControls(55, [10])].map(
    ({ cells, gates }): BenchResult =>
      run(
        cells.map((cell) =>
          cell.control === "upstream" ? { ...cell, repeats: cell.repeats.slice(0, 7) } : cell,
        ),
        gates,
      ),
  );
  const [{ relative }] = compareRuns(base!, head!).gates as readonly [
    BenchComparison["gates"][number],
  ];
  expect(relative.map(({ control, evidence }) => [control, evidence.base.repeats])).toEqual([
    ["upstream", 7],
  ]);
});

test("cells of one name with different loads are not compared", () => {
  const cell = cellOf("base", { cpu: around(50) });
  const head = run([{ ...cell, factors: { ...cell.factors!, demand: 10 } }]);
  const { gates, shown } = compareRuns(run([cell]), head);
  expect(gates.map(({ verdict }) => verdict.why)).toEqual(["it was not measured in both runs"]);
  expect(shown).toEqual([]);
});

test("single repeats have neither a distance from their median nor a range nor a test", () => {
  const single = compareRuns(
    run([cellOf("base", { cpu: [50] })], [gate("cpu")]),
    run([cellOf("base", { cpu: [60] })]),
  );
  const text = linesOf(single, { ...PLAIN, isVerbose: true }).join("\n");
  expect(text).toMatch(/ 50 us \(1\) +60 us \(1\) +\+20\.0 % +-$/m);
});

const several = compareRuns(
  run(
    [cellOf("base", { cpu: around(50), p99: around(4), rss: around(90) })],
    [gate("cpu"), gate("p99"), gate("gc")],
  ),
  run(
    [cellOf("base", { cpu: around(55), p99: around(4.1, 0.2), rss: around(90) })],
    [gate("cpu"), gate("p99"), gate("gc")],
  ),
);

test("the text has the gates and the metrics that changed; --verbose all of them, with their doubts", () => {
  const print = { ...PLAIN, paint: (tone: string, text: string) => `<${tone}>${text}` };
  expect(linesOf(several, { ...print, isVerbose: false }).join("\n")).toMatchInlineSnapshot(`
    "<strong>verdict    metric                                 base                 head   change  likely from, to       p
    <bad>regressed  base: processor time      50 us ±0.6 % (10)    55 us ±0.6 % (10)  +10.0 %  +9.0 %, +11.0 %  <0.001
    <doubtful>unclear    base: p99 of latency       4 ms ±0.6 % (10)  4.1 ms ±11.1 % (10)   +2.5 %  -9.3 %, +14.1 %   0.683
    <doubtful>unclear    base: garbage collection

    without a gate (--verbose shows all 1)

    suite gateway
    a change matters from 3 % on
    at most 5 % of comparisons of equal runs raise an alarm
    base  2026-01-02T03:04:05.000Z, commit 0123456789, Node 24.0.0
    head  2026-01-02T03:04:05.000Z, commit 0123456789, Node 24.0.0"
  `);
  const all = linesOf(several, { ...print, isVerbose: true, hasLegend: true });
  expect(all.join("\n")).toContain("<faint>same     base: memory of the gateway");
  expect(all.join("\n")).toContain("p: how often mixing the repeats");
  const narrow = linesOf(several, { ...PLAIN, width: 80, isVerbose: false });
  expect(narrow.filter((line) => line.startsWith("unclear    base: p99 of latency"))).toHaveLength(
    2,
  );
  expect(Math.max(...narrow.slice(0, 9).map(({ length }) => length))).toBeLessThanOrEqual(80);
});

test("the Markdown folds the metrics without a gate", () => {
  expect(markdownOf({ ...several, warnings: ["HEAD: <b>busy</b> | loud"] })).toMatchInlineSnapshot(`
    "| | | base | head | change | likely from, to | p |
    | --- | --- | ---: | ---: | ---: | ---: | ---: |
    | regressed | base: processor time | 50 us ±0.6 % (10) | 55 us ±0.6 % (10) | +10.0 % | +9.0 %, +11.0 % | \\<0.001 |
    | unclear | base: p99 of latency | 4 ms ±0.6 % (10) | 4.1 ms ±11.1 % (10) | +2.5 % | -9.3 %, +14.1 % | 0.683 |
    | unclear | base: garbage collection |  |  |  |  |  |

    > HEAD: \\<b\\>busy\\</b\\> \\| loud

    <details><summary>shown only: 0 improved, 0 regressed, 1 same, 0 unclear; not corrected for their number: 1 of the differences may be chance alone</summary>

    | | | base | head | change | likely from, to | p |
    | --- | --- | ---: | ---: | ---: | ---: | ---: |
    | same | base: memory of the gateway | 90 MiB ±0.6 % (10) | 90 MiB ±0.6 % (10) | 0.0 % | -0.9 %, +0.9 % | 1.000 |

    </details>

    Suite \`gateway\`; a change matters from 3 % on; at most 5 % of comparisons of equal runs raise an alarm.<br>
    Base: 2026-01-02T03:04:05.000Z, commit 0123456789, Node 24.0.0.<br>
    Head: 2026-01-02T03:04:05.000Z, commit 0123456789, Node 24.0.0."
  `);
});

test("evidence relative to a control is corrected for the number of gates too", () => {
  const names = ["a", "b", "c", "d", "e", "f", "g", "h"];
  const gates = names.map((name) => gate("cpu", name));
  const withControl = (cpu: number, control: readonly number[]): BenchResult =>
    run(
      [
        ...names.map((name) => cellOf(name, { cpu: around(cpu) })),
        cellOf("upstream", { cpu: control }, "upstream"),
      ],
      gates,
    );
  // The metric alone is certain. Relative to the control it is certain enough for one gate, but not for eight.
  const noisy = around(10, 0.1);
  const all = compareRuns(withControl(50, noisy), withControl(55, noisy.toReversed())).gates;
  for (const { verdict, evidence, relative, p } of all) {
    expect(evidence!.p * names.length).toBeLessThan(0.05);
    const [{ evidence: relativeEvidence }] = relative as readonly [(typeof relative)[number]];
    expect(relativeEvidence.p).toBeLessThan(0.05);
    expect(relativeEvidence.interval!.low).toBeGreaterThan(1);
    expect(p).toBeGreaterThan(0.05);
    expect(verdict.word).toBe("unclear");
  }
});
