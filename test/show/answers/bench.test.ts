// Each sentence of the answer of weir bench has its premise in the result, and states what the rows state.
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { answerBench } from "#src/show/answers/bench.ts";
import type { BenchCellResult, BenchResult } from "#src/studies/bench/result.ts";
import { footerOf, readResult } from "#src/studies/bench/result.ts";
import { addAnswer } from "#src/show/answers/answer.ts";
import type { Answer } from "#src/lab/report/answer.ts";
import { figure } from "#src/kit/reading/legible.ts";
import { holds } from "../../runs.ts";
import { cellOf, resultOf } from "../../studies/bench/bench-results.ts";

const textOf = (answer: Answer, id: string): string | undefined =>
  answer.find((each) => each.id === id)?.text;

const ten = (value: number): readonly number[] =>
  Array.from({ length: 10 }, (_, at) => value * (1 + 0.001 * at));
const log = (cpu: readonly number[]): BenchCellResult => {
  const cell = cellOf("algorithm=sliding_log", { cpu });
  return { ...cell, factors: { ...cell.factors!, algorithm: "sliding_log" } };
};
const BASE = cellOf("base", { cpu: ten(70) });
const UNLIMITED = cellOf("unlimited", { cpu: ten(50) }, "unlimited");
const answerOf = (
  cells: readonly BenchCellResult[],
  different: Partial<BenchResult> = {},
): Answer => answerBench(resultOf(cells, [], different));

test("the first sentence has the cost as a multiple of the control, and goes where chance explains it", () => {
  expect(answerOf([BASE, UNLIMITED])[0]).toEqual({
    id: "cost",
    text: "A request with a limit (a fixed window) takes 70.3 us of processor time here, 1.4 times one without (likely 1.4 to 1.4).",
    numbers: {
      us: expect.closeTo(70.3, 1) as number,
      times: expect.closeTo(1.4),
      low: expect.closeTo(1.4) as number,
      high: expect.closeTo(1.4) as number,
    },
  });
  const textWith = (cpu: readonly number[]): string | undefined =>
    textOf(answerOf([cellOf("base", { cpu }), UNLIMITED]), "cost");
  expect(textWith(ten(50).map((us, at) => us + (at % 2 === 0 ? 30 : -30)))).toMatch(
    /^A limit has no cost here that exceeds chance: a request with a fixed window takes /,
  );
  expect(textWith(ten(52))).toMatch(
    /^A limit costs no more here than two processes of equal code can differ: .*1\.04 times one without/,
  );
  expect(textWith(ten(70).slice(0, 5))).toMatch(/which 5 rounds cannot separate from chance\.$/);
  const refusing = cellOf("base", { cpu: ten(20), refused: ten(80) });
  expect(textOf(answerOf([refusing, UNLIMITED]), "cost")).toBe(
    "This run does not show what a limit costs: a fixed window refused 80 % of its requests, and a refusal costs less than an answer.",
  );
  expect(textOf(answerOf([cellOf("keys=many", { cpu: ten(60) }), UNLIMITED]), "cost")).toContain(
    "measured neither the base nor a cell of an algorithm alone",
  );
});

test("algorithms are separated by ranges, and by more than a process differs", () => {
  const text = (cpu: readonly number[]) =>
    textOf(answerOf([BASE, log(cpu), UNLIMITED]), "algorithms");
  expect(text(ten(100))).toBe(
    "Of 2 algorithms a sliding log costs most, 2 times, and a fixed window least, 1.4 times.",
  );
  const noisy = ten(100).map((us, at) => us * (at % 2 === 0 ? 1.5 : 0.6)); // 2.1 times, as a median
  expect(text(noisy)).toMatch(/^Nothing separates the 2 algorithms: /);
  expect(text(ten(75))).toMatch(/^Nothing separates the 2 algorithms: /);
  expect(text(ten(100).slice(0, 3))).toMatch(/^Nothing separates the 2 algorithms: /);
  expect(textOf(answerOf([BASE, UNLIMITED]), "algorithms")).toBeUndefined();
});

test("the store, other gateways and cells that are left out are named", () => {
  const redis = cellOf("store=redis", { cpu: ten(100) });
  const nginx = cellOf("nginx", { cpu: ten(25) }, "nginx");
  const express = cellOf("express", { cpu: ten(250) }, "express");
  const over = cellOf("demand=2", { cpu: ten(30), refused: ten(60) });
  const answer = answerOf([BASE, redis, over, UNLIMITED, nginx, express]);
  expect(textOf(answer, "store")).toMatch(/^With its counters in Redis a request takes 2 times /);
  expect(textOf(answer, "gateways")).toBe(
    "For comparison, nginx takes 0.5 times what Weir takes without a limit, and express 5 times.",
  );
  expect(textOf(answer, "apart")).toBe(
    "demand=2 is left out, because it refused another share than unlimited, and a refusal costs less.",
  );
  const none = answerOf([BASE, UNLIMITED]);
  for (const id of ["store", "gateways", "apart"]) expect(textOf(none, id)).toBeUndefined();
  expect(textOf(answerOf([BASE]), "no-control")).toContain("--control unlimited adds it");
  expect(textOf(none, "no-control")).toBeUndefined();
});

test("what the run does not show follows from starts, rounds, capacity, errors, its machine and its end", () => {
  const few = answerOf([
    cellOf("base", { cpu: [1, 2] }),
    cellOf("unlimited", { cpu: [1, 2] }, "unlimited"),
  ]);
  expect(textOf(few, "rounds")).toContain("instead of 2");
  const many = answerOf([BASE, UNLIMITED]);
  expect(textOf(many, "rounds")).toBeUndefined();
  expect(textOf(many, "capacity")).toContain("more than 10,000 requests a second");
  expect(textOf(answerOf([BASE, UNLIMITED], { capacity: null }), "capacity")).toBeUndefined();
  expect(textOf(many, "process")).toContain("15 %");
  const restarted = [BASE, UNLIMITED].map((cell) => ({
    ...cell,
    repeats: cell.repeats.map((repeat, at) => ({ ...repeat, start: at % 2 })),
  }));
  expect(textOf(answerOf(restarted), "process")).toBeUndefined();
  const { machine } = resultOf([], []);
  const busy = answerOf([BASE], { machine: { ...machine, busy: "others took 39 % of it" } });
  expect(textOf(busy, "busy")).toBe("Others took 39 % of it.");
  const end = answerOf([BASE], {
    stopped: "it was interrupted",
    footer: { ...footerOf([BASE]), errors: 3 },
  });
  expect(textOf(end, "stopped")).toBe(
    "The run is incomplete, with 10 repeats: it was interrupted.",
  );
  expect(textOf(end, "errors")).toMatch(/^3 requests had no response/);
  for (const id of ["busy", "stopped", "errors"]) expect(textOf(many, id)).toBeUndefined();
  expect(answerOf([]).map(({ text }) => text)).toEqual(["Nothing was measured."]);
});

test("bounds are counted, and the one that is broken most often is named", () => {
  const of = (most: number): string | undefined =>
    textOf(
      answerOf([BASE, UNLIMITED], { bounds: [{ metric: "cpu", cell: "base", most }] }),
      "bounds",
    );
  expect(of(100)).toBe("All bounds of the suite (1) are kept in each start.");
  expect(of(60)).toBe(
    "0 of 1 bound of the suite are kept in each start. Broken most often, in 1 of 1 start: cpu of base: at most 60 us.",
  );
});

test("a target has its speed and its refusals", () => {
  const base = cellOf("base", { throughput: ten(500), p50: ten(2), p99: ten(9), refused: ten(12) });
  const target = "http://127.0.0.1/";
  const answer = answerOf([{ ...base, factors: null }], { target });
  expect(answer.map(({ id }) => id)).toEqual(["target", "target-refused", "no-control"]);
  expect(answer[0]!.text).toBe(
    "http://127.0.0.1/ gave 502 responses a second, half of them within 2.01 ms and 99 of 100 within 9.04 ms.",
  );
});

test("a document is read with its answer and without, and the answer follows from the rest", () => {
  const result = resultOf([BASE, UNLIMITED], []);
  const answered = addAnswer(result, answerBench);
  expect(Object.keys(answered).slice(0, 2)).toEqual(["format", "answer"]);
  for (const document of [result, answered, { ...answered, answer: [] }])
    expect(readResult(JSON.stringify(document))).toEqual(result);
});

// ---------------------------------------------------------------- random results

const round = (cpu: number, noise: number, at: number): number =>
  Number((cpu * (1 + (noise * ((at * 7919) % 13)) / 13)).toPrecision(4));

const cellArbitrary = (name: string): fc.Arbitrary<BenchCellResult | null> =>
  fc
    .record({
      cpu: fc.integer({ min: 20, max: 90 }),
      noise: fc.constantFrom(0, 0.2, 0.6, 1.2),
      refused: fc.constantFrom(0, 0, 0, 1, 40),
      isThere: fc.integer({ min: 0, max: 5 }),
      shift: fc.nat({ max: 12 }),
    })
    .map(({ cpu, noise, refused, isThere, shift }) => {
      if (isThere === 0 && name !== "base") return null;
      const at = Array.from({ length: 12 }, (_, round) => round);
      const isControl = ["unlimited", "nginx", "express"].includes(name);
      const cell = cellOf(
        name,
        { cpu: at.map((each) => round(cpu, noise, each + shift)), refused: at.map(() => refused) },
        isControl ? (name as "nginx") : null,
      );
      const algorithm = name === "algorithm=gcra" ? "gcra" : "fixed_window";
      return cell.factors === null ? cell : { ...cell, factors: { ...cell.factors, algorithm } };
    });

const NAMES = ["base", "algorithm=gcra", "store=redis", "unlimited", "nginx", "express"];

const resultArbitrary = fc
  .record({
    cells: fc.tuple(...NAMES.map(cellArbitrary)),
    rounds: fc.integer({ min: 1, max: 12 }),
    starts: fc.constantFrom(1, 1, 3),
    errors: fc.constantFrom(0, 2),
    most: fc.integer({ min: 20, max: 120 }),
    isBusy: fc.boolean(),
    isStopped: fc.boolean(),
  })
  .map(({ cells, rounds, starts, errors, most, isBusy, isStopped }) => {
    const all = cells.flatMap((cell) =>
      cell === null
        ? []
        : {
            ...cell,
            repeats: cell.repeats.slice(0, rounds).map((repeat, at) => ({
              ...repeat,
              ...(starts === 1 ? {} : { start: at % starts }),
            })),
          },
    );
    const made = resultOf(all, [], { bounds: [{ metric: "cpu", cell: "base", most }] });
    return {
      ...made,
      machine: { ...made.machine, busy: isBusy ? "others took it" : null },
      stopped: isStopped ? "it was stopped" : null,
      footer: { ...made.footer, errors },
    };
  });

const middle = (values: readonly number[]): number => {
  const sorted = values.toSorted((a, b) => a - b);
  const half = sorted.length / 2;
  return Number.isInteger(half)
    ? (sorted[half - 1]! + sorted[half]!) / 2
    : sorted[Math.floor(half)]!;
};
const cpuOf = (cell: BenchCellResult): readonly number[] =>
  cell.repeats.map(({ metrics }) => metrics["cpu"]!);
const shareRefused = (cell: BenchCellResult): number => cell.repeats[0]!.metrics["refused"]!;
const choose = (n: number, k: number): number =>
  Array.from({ length: k }, (_, at) => (n - at) / (at + 1)).reduce((a, b) => a * b, 1);

/** By the definition: how often this many of n values are below the median. */
function rangeOf(values: readonly number[]): readonly [number, number] | null {
  const n = values.length;
  const sorted = values.toSorted((a, b) => a - b);
  const out = (k: number): number =>
    Array.from({ length: k + 1 }, (_, i) => choose(n, i)).reduce((a, b) => a + b) / 2 ** (n - 1);
  const ks = Array.from({ length: n }, (_, k) => k).filter((k) => out(k) <= 0.05);
  const k = ks.at(-1);
  return k === undefined ? null : [sorted[k]!, sorted[n - 1 - k]!];
}

interface Multiple {
  readonly times: number;
  readonly range: readonly [number, number] | null;
  readonly isRestarted: boolean;
}

function multipleOf(cell: BenchCellResult, control: BenchCellResult): Multiple {
  const ratios = cpuOf(cell).map((us, at) => us / cpuOf(control)[at]!);
  const starts = [...new Set(cell.repeats.map(({ start = 0 }) => start))];
  const isRestarted = starts.length > 1;
  const values = isRestarted
    ? starts.map((start) =>
        middle(ratios.filter((_, at) => (cell.repeats[at]!.start ?? 0) === start)),
      )
    : ratios;
  return { times: middle(ratios), range: rangeOf(values), isRestarted };
}

const isMore = (times: number): boolean => times > 1.15 || times < 1 / 1.15;

type Claim = (
  text: string,
  result: BenchResult,
  cells: ReadonlyMap<string, BenchCellResult>,
) => unknown;

const CLAIMS: Readonly<Record<string, Claim>> = {
  cost: (text, _, cells) => {
    const first = cells.get("base")!;
    const control = cells.get("unlimited")!;
    const isApart = Math.abs(shareRefused(first) - shareRefused(control)) > 2;
    const other = cells.get("algorithm=gcra");
    if (
      isApart &&
      (other === undefined || Math.abs(shareRefused(other) - shareRefused(control)) > 2)
    )
      return expect(text).toContain("does not show what a limit costs");
    const cell = isApart ? other! : first;
    const { times, range, isRestarted } = multipleOf(cell, control);
    expect(text).toContain(`${figure(middle(cpuOf(cell)))} us of processor time`);
    expect(text).toContain(`${figure(times)} times one without`);
    const isClear = range !== null && (range[0] > 1 || range[1] < 1);
    expect(text.startsWith("A limit has no cost here that exceeds chance")).toBe(
      range !== null && !isClear,
    );
    expect(text.includes("cannot separate from chance")).toBe(range === null);
    expect(text.startsWith("A limit costs no more here than two processes")).toBe(
      isClear && !isRestarted && !isMore(times),
    );
  },
  algorithms: (text, _, cells) => {
    const both = ["base", "algorithm=gcra"].map((name) =>
      multipleOf(cells.get(name)!, cells.get("unlimited")!),
    );
    const [least, most] = both.toSorted((a, b) => a.times - b.times) as [Multiple, Multiple];
    const isSeparate =
      least.range !== null &&
      most.range![0] > least.range[1] &&
      (least.isRestarted || most.times / least.times > 1.15);
    expect(text.startsWith("Nothing separates")).toBe(!isSeparate);
    if (isSeparate && least.times !== most.times)
      expect(text).toContain(`${both[0] === most ? "a fixed window" : "GCRA"} costs most`);
  },
  store: (text, _, cells) =>
    expect(text).toContain(
      `takes ${figure(multipleOf(cells.get("store=redis")!, cells.get("unlimited")!).times)} times`,
    ),
  gateways: (text, _, cells) => {
    const named = ["nginx", "express"].filter((name) => text.includes(name));
    for (const name of named)
      expect(text).toContain(
        `${figure(multipleOf(cells.get(name)!, cells.get("unlimited")!).times)} times`,
      );
    expect(named.length).toBeGreaterThan(0);
  },
  bounds: (text, { bounds }, cells) => {
    const { most } = bounds![0] as { readonly most: number };
    const base = cells.get("base")!;
    const starts = [...new Set(base.repeats.map(({ start = 0 }) => start))];
    const broken = starts.filter(
      (start) =>
        middle(cpuOf(base).filter((_, at) => (base.repeats[at]!.start ?? 0) === start)) > most,
    ).length;
    expect(text).toContain(
      broken === 0 ? "All bounds of the suite (1)" : `in ${broken} of ${starts.length} start`,
    );
  },
  apart: (text, _, cells) => {
    const control = cells.get("unlimited") ?? cells.get("base")!;
    const apart = [...cells]
      .filter(([, cell]) => Math.abs(shareRefused(cell) - shareRefused(control)) > 2)
      .map(([name]) => name);
    const [names = ""] = text.split(/ (?:is|are) left out/);
    const more = Number(/ and (\d+) more/.exec(names)?.[1] ?? 0);
    const named = names.replace(/ and \d+ more/, "").split(/, | and /);
    expect(apart).toEqual(expect.arrayContaining(named));
    expect(apart).toHaveLength(named.length + more);
  },
  process: (_, __, cells) =>
    expect(
      [...cells.values()].some(
        ({ repeats }) => new Set(repeats.map(({ start }) => start)).size < 2,
      ),
    ).toBe(true),
  rounds: (text, _, cells) => {
    const { length } = cells.get("base")!.repeats;
    expect(length).toBeLessThan(6);
    expect(text).toContain(`instead of ${length},`);
  },
  capacity: (text, { capacity }) => expect(text).toContain(figure(capacity!)),
  "no-control": (_, __, cells) => expect(cells.has("unlimited")).toBe(false),
  busy: (_, { machine }) => expect(machine.busy).not.toBeNull(),
  errors: (text, { footer }) => expect(text).toContain(`${footer.errors} requests`),
  stopped: (text, { stopped }) => expect(text).toContain(stopped!),
};

test("no sentence about a random result contradicts its repeats", () => {
  const occurred = new Set<string>();
  holds(
    fc.property(resultArbitrary, (result) => {
      const cells = new Map(result.cells.map((cell) => [cell.name, cell]));
      for (const { id, text, numbers } of answerBench(result)) {
        occurred.add(id);
        CLAIMS[id]!(text, result, cells);
        expect(Object.values(numbers).every(Number.isFinite)).toBe(true);
      }
    }),
    300,
  );
  expect([...occurred].toSorted()).toEqual(Object.keys(CLAIMS).toSorted());
});
