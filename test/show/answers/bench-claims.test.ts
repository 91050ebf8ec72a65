// What the answer of weir bench states about random results is computed again from their repeats.
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { answerBench } from "#src/show/answers/bench.ts";
import type { BenchCellResult, BenchResult } from "#src/studies/bench/result.ts";
import { figure } from "#src/kit/reading/legible.ts";
import { holds } from "../../runs.ts";
import { cellOf, resultOf } from "../../studies/bench/bench-results.ts";

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
        {
          cpu: at.map((each) => round(cpu, noise, each + shift)),
          refused: at.map(() => refused),
          throughput: at.map((each) => round(9_000, noise, each)),
        },
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
    const each = cpuOf(cell).map((us, at) => us / cpuOf(control)[at]!);
    const [low, high] = range ?? [Math.min(...each), Math.max(...each)];
    const isAround = low <= 1 && high >= 1;
    expect(text.startsWith("A limit costs too little to be seen in this run (")).toBe(isAround);
    if (isAround) expect(text).toContain(`(${figure(low)} to ${figure(high)} times`);
    expect(text.includes("cannot separate")).toBe(range === null && !isAround);
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
    expect(text.startsWith("No algorithm of")).toBe(!isSeparate);
    if (isSeparate && least.times !== most.times)
      expect(text).toContain(`${both[0] === most ? "a fixed window" : "GCRA"} costs most`);
  },
  multiples: (_, __, cells) => {
    const control = cells.get("unlimited")!;
    const different = ["base", "algorithm=gcra"].filter((name) => {
      const cell = cells.get(name) ?? control;
      const quotient = middle(cpuOf(cell)) / middle(cpuOf(control));
      return figure(multipleOf(cell, control).times) !== figure(quotient);
    });
    expect(different).not.toEqual([]);
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
    const more = Number(/ and (\d+) others/.exec(names)?.[1] ?? 0);
    const named = names.replace(/ and \d+ others/, "").split(/, | and /);
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
  speed: (text, _, cells) => {
    const speeds = cells.get("base")!.repeats.map(({ metrics }) => metrics["throughput"]!);
    expect(text).toContain(`answers ${figure(middle(speeds))} requests`);
  },
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
