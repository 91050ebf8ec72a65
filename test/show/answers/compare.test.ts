// Each sentence of the answers of weir compare and of bench --against has its premise in the document.
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { answerAgainst } from "#src/show/answers/against.ts";
import { answerCompare } from "#src/show/answers/compare.ts";
import type { AgainstResult, PairedGate } from "#src/studies/bench/against/result.ts";
import { compare } from "#src/studies/bench/compare/compare.ts";
import {
  SAME_RUN,
  type BenchComparison,
  type FigureVerdict,
} from "#src/studies/bench/compare/comparison.ts";
import { changePercentOf } from "#src/studies/bench/compare/phrases.ts";
import type { Answer } from "#src/lab/report/answer.ts";
import { figure } from "#src/kit/reading/legible.ts";
import { holds } from "../../runs.ts";
import { cellOf, gate, resultOf } from "../../studies/bench/bench-results.ts";

const textOf = (answer: Answer, id: string): string | undefined =>
  answer.find((each) => each.id === id)?.text;
const textsOf = (answer: Answer, id: string): readonly string[] =>
  answer.filter((each) => each.id === id).map(({ text }) => text);

const ten = (value: number, noise = 0.001): readonly number[] =>
  Array.from({ length: 10 }, (_, at) => value * (1 + noise * (((at * 7) % 10) - 4.5)));

const EFFORTS = {
  gate: { permutations: 500, resamples: 500 },
  shown: { permutations: 200, resamples: 200 },
};

/** Two runs of the base: processor time gates, p99 is shown, and the upstream is a control. */
function compareCpu(
  base: readonly number[],
  head: readonly number[],
  {
    p99 = [4, 4],
    upstream = [25, 25],
    warnings = [],
  }: {
    readonly p99?: readonly [number, number];
    readonly upstream?: readonly [number, number];
    readonly warnings?: readonly string[];
  } = {},
): BenchComparison {
  const [one, other] = [base, head].map((cpu, at) =>
    resultOf(
      [
        cellOf("base", { cpu, p99: ten(p99[at]!) }),
        cellOf("upstream", { cpu: ten(upstream[at]!) }, "upstream"),
      ],
      [gate("cpu")],
    ),
  );
  const question = { minEffect: 0.03, alpha: 0.05, seed: 1 };
  return compare(one!, other!, question, warnings, { efforts: EFFORTS });
}

test("the first sentence is the worst change, or that none was found", () => {
  expect(answerCompare(compareCpu(ten(50), ten(60)))[0]!.text).toMatch(
    /^HEAD is worse than BASE: processor time of a request for the base cell rose by 20\.\d % \(95 %: \+\d+\.\d to \+\d+\.\d %\), from 50 to 60 us\.$/,
  );
  expect(answerCompare(compareCpu(ten(60), ten(50)))[0]!.text).toMatch(
    /^HEAD is better than BASE: .* fell by 16\.\d %/,
  );
  const same = answerCompare(compareCpu(ten(50), ten(50)));
  expect(same[0]!.text).toBe(
    "Nothing has changed by 3 % or more: processor time of a request for the base cell.",
  );
  const open = answerCompare(compareCpu(ten(50, 0.02), ten(50.5, 0.02)));
  expect(open[0]!.text).toMatch(
    /^No difference was found; one of less than about \d+\.\d % could be missed\.$/,
  );
  expect(textOf(open, "unclear")).toMatch(
    /^Unclear is processor time of a request for the base cell \S+ % \(95 %: \S+ to \S+ %\): .*about \d+ repeats in each run would settle it/,
  );
  expect(textOf(same, "unclear")).toBeUndefined();
  const none = compareCpu(ten(50), ten(50));
  expect(answerCompare({ ...none, gates: [] })[0]!.id).toBe("no-gate");
});

test("a gate with too few repeats has no verdict, however large its change is, and one sentence", () => {
  const few = answerCompare(compareCpu([50, 50.1, 50.2], [60, 60.1, 60.2]));
  expect(few[0]!.text).toBe(
    "No verdict: fewer than 5 repeats prove nothing; run both again with --repeats 10. Measured: processor time of a request for the base cell +20.0 %.",
  );
  for (const id of ["no-verdict", "unclear", "none-found"]) expect(textOf(few, id)).toBeUndefined();
  const enough = answerCompare(compareCpu(ten(50), ten(60)));
  expect(textOf(enough, "too-few")).toBeUndefined();
});

test("a gate that differs without a verdict has one sentence, with the reason", () => {
  const spoiled = compareCpu(ten(50), ten(60), {
    upstream: [25, 30],
    warnings: [
      "compared by force: BASE ran on one machine, HEAD on another: run both on one machine",
    ],
  });
  const answer = answerCompare(spoiled);
  expect(answer[0]!.text).toBe(
    "These runs are not comparable, so no difference need be one of the code: BASE ran on one machine, HEAD on another.",
  );
  expect(answer[1]!.text).toMatch(
    /^No verdict: HEAD differs from BASE in processor time of a request for the base cell \+20\.0 % \(95 %: .*\), but so do controls without any code of Weir: processor time of a request for upstream \+20\.0 %\.$/,
  );
  // The sentence has the controls as its reason, so none repeats them.
  for (const id of ["moved", "unclear", "none-found"]) expect(textOf(answer, id)).toBeUndefined();
  const forced = { ...spoiled, moved: [] };
  expect(textOf(answerCompare(forced), "no-verdict")).toMatch(
    /, but the runs are not comparable\.$/,
  );
  const uncertain = { ...forced, warnings: [] };
  expect(answerCompare(uncertain)[0]!.text).toMatch(
    /^No verdict: HEAD differs from BASE in .*, but relative to upstream there is no such change: /,
  );
});

test("a run that is compared with itself has one sentence", () => {
  const itself = compareCpu(ten(50), ten(50), { warnings: [SAME_RUN] });
  expect(answerCompare(itself).map(({ text }) => text)).toEqual([
    `BASE and HEAD are the same run, begun at ${itself.base.startedAt}: no change can be found in it, so give a second run.`,
  ]);
});

test("a small change may be that of a process, a large one not", () => {
  const process = (head: number): string =>
    textOf(answerCompare(compareCpu(ten(50), ten(head))), "process")!;
  expect(process(55)).toMatch(/^That may be the processes and not the code: each run has one /);
  expect(process(75)).toMatch(
    /^Each run has one process of a cell, .* 15 %\. weir bench --against/,
  );
});

test("controls that changed, other metrics and force are stated only where they are", () => {
  const quiet = answerCompare(compareCpu(ten(50), ten(50)));
  for (const id of ["moved", "forced"]) expect(textOf(quiet, id)).toBeUndefined();
  expect(textOf(quiet, "shown")).toBe("Of 2 metrics without a gate none is shown to have changed.");
  const unclear = { word: "unclear" as const, why: "chance", needed: null };
  const one = compareCpu(ten(50), ten(50));
  const shown = [{ ...one.shown[0]!, verdict: unclear }];
  expect(textOf(answerCompare({ ...one, shown }), "shown")).toMatch(/, and 1 is unclear\.$/);
  const loud = compareCpu(ten(50), ten(60), {
    p99: [4, 5],
    upstream: [25, 30],
    warnings: ["compared by force: BASE is a run of the suite gateway, HEAD one of redis"],
  });
  const verdict = { ...loud.gates[0]!.verdict, word: "regressed" as const };
  const decided = { ...loud, gates: [{ ...loud.gates[0]!, verdict }] };
  expect(textOf(answerCompare(decided), "moved")).toBe(
    "Without any code of Weir there are changes too, so the machine may have changed: processor time of a request for upstream +20.0 %.",
  );
  expect(textOf(answerCompare(loud), "shown")).toMatch(
    /^Of 2 metrics without a gate 2 differ, the first .*; chance alone can make 1 differ\.$/,
  );
  expect(textOf(answerCompare(loud), "forced")).toMatch(
    /: BASE is a run of the suite gateway, HEAD one of redis\.$/,
  );
  expect(textOf(answerCompare({ ...loud, shown: [] }), "shown")).toBeUndefined();
});

type Claim = (text: string, comparison: BenchComparison) => unknown;

const ofWord = (
  { gates }: BenchComparison,
  ...words: readonly string[]
): readonly FigureVerdict[] => gates.filter(({ verdict }) => words.includes(verdict.word));

/** Open gates that changed by 3 % or more, with an interval of one direction. */
const differing = (comparison: BenchComparison): readonly FigureVerdict[] =>
  ofWord(comparison, "unclear").filter(({ evidence }) => {
    const { low, high } = evidence!.interval!;
    const { ratio } = evidence!;
    return (low > 1 && ratio! >= 1.03) || (high < 1 && ratio! <= 1 / 1.03);
  });

const CLAIMS: Readonly<Record<string, Claim>> = {
  changed: (text, comparison) => {
    const gate = ofWord(comparison, "regressed", "improved").find(({ evidence }) =>
      text.includes(`from ${figure(evidence!.base.median)} to ${figure(evidence!.head.median)}`),
    )!;
    const { base, head, interval } = gate.evidence!;
    const isMore = head.median > base.median;
    expect(text).toContain(isMore ? " rose by " : " fell by ");
    const isWorse = isMore === (gate.better === "less");
    expect(text.startsWith(isWorse ? "HEAD is worse" : "HEAD is better")).toBe(true);
    expect(text).toContain(
      `by ${changePercentOf(head.median / base.median).replace(/^[+-]/, "")} (95 %: `,
    );
    expect(interval!.low > 1 || interval!.high < 1).toBe(true);
  },
  "none-found": (_, comparison) => {
    expect(ofWord(comparison, "regressed", "improved")).toEqual([]);
    expect(ofWord(comparison, "unclear")).not.toEqual([]);
    expect(differing(comparison)).toEqual([]);
  },
  "no-verdict": (text, comparison) => {
    const named = differing(comparison).filter(({ evidence }) =>
      text.includes(changePercentOf(evidence!.ratio!)),
    );
    expect(named).not.toEqual([]);
    expect(text.includes("controls without any code of Weir")).toBe(comparison.moved.length > 0);
  },
  same: (text, comparison) => {
    const same = ofWord(comparison, "same");
    expect(text.split(/, | and /)).toHaveLength(same.length);
    expect(text.startsWith("Nothing has changed")).toBe(same.length === comparison.gates.length);
  },
  unclear: (text, comparison) => {
    const isOpen = ofWord(comparison, "regressed", "improved").length === 0;
    const without = ofWord(comparison, "unclear").filter(
      (each) => !isOpen || !differing(comparison).includes(each),
    );
    expect(without.some(({ verdict }) => text.includes(verdict.why!))).toBe(true);
  },
  moved: (text, { moved }) => {
    for (const { control, ratio } of moved)
      expect(text).toContain(`${control} ${changePercentOf(ratio)}`);
    expect(moved).not.toEqual([]);
  },
  shown: (text, { shown }) => {
    const { length } = shown.filter(({ verdict }) =>
      ["regressed", "improved"].includes(verdict.word),
    );
    expect(text).toContain(length === 0 ? " none is shown " : ` gate ${length} differ`);
    const unclear = shown.filter(({ verdict }) => verdict.word === "unclear").length;
    if (length === 0) expect(text.includes(`, and ${unclear} `)).toBe(unclear > 0);
  },
  process: (text, { gates, word }) => {
    const isSmall = gates.every(({ evidence }) => {
      const ratio = evidence?.ratio ?? 9;
      return ratio <= 1.15 && ratio >= 1 / 1.15;
    });
    expect(text.startsWith("That may be")).toBe(
      isSmall && (word === "regressed" || word === "improved"),
    );
  },
};

test("no sentence about two random runs contradicts their comparison", () => {
  const occurred = new Set<string>();
  const value = fc.integer({ min: 40, max: 60 });
  const noise = fc.constantFrom(0.001, 0.02);
  const run = fc.record({ cpu: value, speed: value, upstream: fc.constantFrom(25, 25, 30), noise });
  holds(
    fc.property(run, run, (one, other) => {
      const [base, head] = [one, other].map(({ cpu, speed, upstream, noise: by }) =>
        resultOf(
          [
            cellOf("base", {
              cpu: ten(cpu, by),
              throughput: ten(speed, by),
              p99: ten(cpu / 9, by),
            }),
            cellOf("upstream", { cpu: ten(upstream) }, "upstream"),
          ],
          [gate("cpu"), gate("throughput")],
        ),
      );
      const question = { minEffect: 0.03, alpha: 0.05, seed: 1 };
      const comparison = compare(base!, head!, question, [], { efforts: EFFORTS });
      for (const { id, text, numbers } of answerCompare(comparison)) {
        occurred.add(id);
        CLAIMS[id]!(text, comparison);
        expect(Object.values(numbers).every(Number.isFinite)).toBe(true);
      }
    }),
    60,
  );
  expect([...occurred].toSorted()).toEqual(Object.keys(CLAIMS).toSorted());
});

// ---------------------------------------------------------------- two versions in one run

const PAIRED: PairedGate = {
  cell: "base",
  metric: "cpu",
  unit: "us",
  better: "less",
  base: 50,
  head: 50.5,
  decidedAt: null,
  boundaries: [],
  word: "unclear",
  why: "chance may explain the change",
  evidence: { pairs: 20, ratio: 1.01, interval: { low: 0.97, high: 1.05 }, p: 0.4, least: 0.071 },
};

function against(gates: readonly PairedGate[], different: Partial<AgainstResult> = {}): Answer {
  const { machine } = resultOf([], []);
  return answerAgainst({
    machine,
    design: { pairs: 20, rounds: 2, minEffect: 0.03, alpha: 0.05, until: null },
    gates,
    pairs: 20,
    secondsAPair: 12,
    stopped: null,
    footer: { repeats: 100, errors: 0 },
    ...different,
  } as unknown as AgainstResult); // the rest is not in the answer
}

test("two versions: the change, the reach of the run, and how many pairs a smaller change takes", () => {
  const answer = against([PAIRED]);
  expect(answer.map(({ text }) => text)).toEqual([
    "No difference was found; one of less than about 7.1 % could be missed.",
    "Unclear is processor time of a request for the base cell +1.0 % (likely -3.0 to +5.0 %): chance may explain the change.",
    "A change of 7.1 % would have been found 95 times of 100, in processor time of a request for the base cell too.",
    "5 % would take about --pairs 40, 8 min 0 s and 3 % would take about --pairs 110, 22 min 0 s.",
  ]);
  const fine = {
    ...PAIRED,
    metric: "rss" as const,
    evidence: { ...PAIRED.evidence!, least: 0.01 },
  };
  for (const gates of [
    [fine, PAIRED],
    [PAIRED, fine],
  ])
    expect(textOf(against(gates), "reach")).toMatch(/^A change of 7\.1 % .* in processor time /);
  const worse = against([
    {
      ...PAIRED,
      word: "regressed",
      why: null,
      evidence: { ...PAIRED.evidence!, ratio: 1.2, least: 0.02 },
    },
  ]);
  expect(worse[0]!.text).toMatch(/^This version is worse than the other one: .* rose by 20\.0 %/);
  expect(textOf(worse, "finer")).toBeUndefined();
  const blind = { ...PAIRED.evidence!, least: Number.POSITIVE_INFINITY };
  expect(textOf(against([{ ...PAIRED, evidence: blind }]), "reach")).toBe(
    "20 pairs could have shown no change of any size.",
  );
  const unmeasured = against([{ ...PAIRED, evidence: null, base: null, head: null }]);
  expect(textsOf(unmeasured, "reach")).toEqual([]);
});

test("two versions: a busy machine, errors and an early end are stated", () => {
  const { machine } = resultOf([], []);
  const answer = against([PAIRED], {
    machine: { ...machine, busy: "others took it" },
    stopped: "it was interrupted",
    footer: { repeats: 100, errors: 1 },
  });
  expect(textOf(answer, "busy")).toBe("Others took it.");
  expect(textOf(answer, "errors")).toMatch(/^1 request had no response/);
  expect(textOf(answer, "stopped")).toContain("with 20 pairs: it was interrupted");
  for (const id of ["busy", "errors", "stopped"])
    expect(textOf(against([PAIRED]), id)).toBeUndefined();
});
