// Each sentence of the answer of weir bench has its premise in the result, and states what the rows state.
import { expect, test } from "vitest";
import { answerBench } from "#src/show/answers/bench.ts";
import type { BenchCellResult, BenchResult } from "#src/studies/bench/result.ts";
import { footerOf, readResult } from "#src/studies/bench/result.ts";
import { addAnswer } from "#src/show/answers/answer.ts";
import type { Answer } from "#src/lab/report/answer.ts";
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
    /^A limit costs too little to be seen in this run \(0\.402 to 1\.6 times\): a request with a fixed window takes /,
  );
  expect(textWith(ten(52))).toMatch(
    /^A limit costs no more here than two processes of equal code can differ: .*1\.04 times one without/,
  );
  expect(textWith(ten(70).slice(0, 5))).toMatch(
    /^5 rounds cannot separate the cost of a limit from chance: .*1\.4 times one without\.$/,
  );
  expect(textWith([40, 50, 60])).toMatch(
    /^A limit costs too little to be seen in this run \([\d.]+ to 1\.\d+ times in 3 rounds\): /,
  );
  const refusing = cellOf("base", { cpu: ten(20), refused: ten(80) });
  expect(textOf(answerOf([refusing, UNLIMITED]), "cost")).toBe(
    "This run does not show what a limit costs: a fixed window refused 80 % of its requests, and a refusal costs less than an answer.",
  );
  expect(textOf(answerOf([cellOf("keys=many", { cpu: ten(60) }), UNLIMITED]), "cost")).toContain(
    "measured neither the base nor a cell of an algorithm alone",
  );
});

test("a multiple is explained where the medians have another quotient", () => {
  const withCpu = (cpu: readonly number[]): string | undefined =>
    textOf(answerOf([cellOf("base", { cpu }), UNLIMITED]), "multiples");
  const alike = answerOf([
    cellOf("base", { cpu: [60, 60, 60] }),
    cellOf("unlimited", { cpu: [50, 50, 50] }, "unlimited"),
  ]);
  expect(textOf(alike, "multiples")).toBeUndefined();
  expect(withCpu([60, 60.9, 60])).toMatch(/^A multiple is the median of those of the rounds/);
});

test("algorithms are separated by ranges, and by more than a process differs", () => {
  const text = (cpu: readonly number[]) =>
    textOf(answerOf([BASE, log(cpu), UNLIMITED]), "algorithms");
  expect(text(ten(100))).toBe(
    "Of 2 algorithms a sliding log costs most, 2 times a request without a limit (likely 2 to 2), and a fixed window least, 1.4 times (likely 1.4 to 1.4).",
  );
  const noisy = ten(100).map((us, at) => us * (at % 2 === 0 ? 1.5 : 0.6)); // 2.1 times, as a median
  expect(text(noisy)).toMatch(/^No algorithm of 2 is shown to cost more than another\. /);
  expect(text(ten(75))).toMatch(/^No algorithm of 2 is shown to cost more than another\. /);
  expect(text(ten(100).slice(0, 3))).toMatch(
    /^No algorithm of 2 is shown to cost more than another\. /,
  );
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
    "For comparison, nginx takes 0.5 times what Weir takes without a limit (likely 0.5 to 0.5), and express 5 times (likely 5 to 5).",
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
  const timed = cellOf("base", { cpu: ten(70), throughput: ten(5_000) });
  expect(textOf(answerOf([timed, UNLIMITED]), "speed")).toContain(
    "answers 5,023 requests a second",
  );
  expect(textOf(many, "speed")).toBeUndefined();
  expect(textOf(many, "process")).toContain("15 %");
  const restarted = [BASE, UNLIMITED].map((cell) => ({
    ...cell,
    repeats: cell.repeats.map((repeat, at) => ({ ...repeat, start: at % 2 })),
  }));
  expect(textOf(answerOf(restarted), "process")).toBeUndefined();
  const { machine } = resultOf([], []);
  const busy = answerOf([BASE], { machine: { ...machine, busy: "others took 39 % of it" } });
  expect(textOf(busy, "busy")).toBe("Others took 39 % of it.");
  expect(busy[0]?.id).toBe("busy");
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
  const two = [100, 60].map((most) => ({ metric: "cpu", cell: "base", most }));
  expect(textOf(answerOf([BASE, UNLIMITED], { bounds: two }), "bounds")).toMatch(
    /^1 of 2 bounds of the suite is kept in each start\. /,
  );
  expect(of(60)).toBe(
    "0 of 1 bound of the suite are kept in each start. Broken most often, in 1 of 1 start: cpu of base: at most 60 us; measured 70.3.",
  );
});

test("of several broken bounds the one that is broken in most of its starts is named", () => {
  const base = cellOf("base", { cpu: ten(70), p99: ten(4) });
  const started = {
    ...base,
    repeats: base.repeats.map((repeat, at) => ({
      ...repeat,
      start: at % 2,
      metrics: { ...repeat.metrics, cpu: 60 + 20 * (at % 2) },
    })),
  };
  const rare = { metric: "cpu", cell: "base", most: 70 };
  const frequent = { metric: "p99", cell: "base", most: 1 };
  for (const bounds of [
    [rare, frequent],
    [frequent, rare],
  ])
    expect(textOf(answerOf([started, UNLIMITED], { bounds }), "bounds")).toMatch(
      /^0 of 2 bounds .* Broken most often, in 2 of 2 starts: p99 of base: /,
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
