// The answer of weir pareto: each sentence goes or changes with its premise, and states what the cells have.
import * as fc from "fast-check";
import { expect, onTestFinished, test } from "vitest";
import { setStart } from "#src/kit/command-line.ts";
import type { AnswerSentence } from "#src/lab/report/answer.ts";
import { answerPareto } from "#src/show/answers/pareto.ts";
import { METRIC_NAMES, type Figures } from "#src/studies/pareto/metrics.ts";
import { resultOf, WHOLE, type ParetoResult } from "#src/studies/pareto/result.ts";
import { cellsOf } from "#src/studies/pareto/suite.ts";
import { holdsUntil } from "../../runs.ts";
import { ORIGIN, result, resultWith } from "../../studies/pareto/results.ts";

const textsOf = (of: ParetoResult, id: string): readonly string[] =>
  answerPareto(of).flatMap((sentence) => (sentence.id === id ? [sentence.text] : []));

const FIGURES: Readonly<Record<string, Partial<Figures>>> = {
  bounded_log: { over: 0, wrong: 0, operations: 3, bytes: 1088 },
  fixed_window: { over: 6.67, wrong: 0, operations: 2.73, bytes: 104 },
  drl: { over: 0, wrong: 13.2, operations: 0, bytes: 312, latency: 0 },
};
const REST = { over: 20, wrong: 0, operations: 3, bytes: 1088 };
const known = resultWith((algorithm) => FIGURES[algorithm] ?? REST);

test("the most accurate algorithm of each fleet comes first, the smallest fleet before the others", () => {
  expect(textsOf(known, "choice")).toEqual([
    "With 1 gateway and bursts at the edges of windows take a bounded log. It decides every request right. A fixed window has 6.67 %. The price is 3 store operations for each request and 1,088 bytes for each key.",
    "With 3 gateways take a bounded log. It decides every request right. A fixed window has 6.67 %. The price is 3 store operations for each request and 1,088 bytes for each key.",
  ]);
  const worse = resultWith((algorithm) =>
    algorithm === "bounded_log" ? { ...REST, over: 8 } : (FIGURES[algorithm] ?? REST),
  );
  expect(textsOf(worse, "choice")[0]).toBe(
    "With 1 gateway and bursts at the edges of windows take a fixed window. It has the fewest errors: 6.67 % of all requests (6.67 % admitted too many). A bounded log has 8 %. The price is 2.73 store operations for each request and 104 bytes for each key.",
  );
  const alike = resultWith(() => ({ ...REST, wrong: 1 }));
  expect(textsOf(alike, "choice")[0]).toContain(
    "errors: 21 % of all requests (20 % admitted too many, 1 % refused wrongly). The price ",
  );
});

test("all choices come before the rest, and medians that do not add up are named as such", () => {
  expect(
    answerPareto(known)
      .map(({ id }) => id)
      .slice(0, 3),
  ).toEqual(["choice", "choice", "question"]);
  // The sums of the three runs are 5, 4 and 4, and the medians of their parts 1 and 4.
  const parts = [
    { over: 1, wrong: 4 },
    { over: 0, wrong: 4 },
    { over: 3, wrong: 1 },
  ];
  const apart = resultWith((_algorithm, run) => ({ ...REST, ...parts[run % 3] }));
  expect(textsOf(apart, "choice")[0]).toContain(
    "errors: 4 % of all requests (1 % admitted too many, 4 % refused wrongly; medians of different runs)",
  );
});

test("where other phases of the traffic could choose another algorithm, nothing separates them", () => {
  const errorsOf = (log: readonly number[], counter: readonly number[]): ParetoResult =>
    resultWith((algorithm, run) => {
      if (algorithm === "bounded_log") return { ...REST, over: log[run]!, wrong: 0 };
      if (algorithm !== "sliding_window_counter") return REST;
      return { ...REST, over: counter[run]!, wrong: 0, bytes: 120 };
    });
  const [open] = textsOf(errorsOf([0, 0, 3], [2, 4, 5]), "choice");
  expect(open).toContain(
    " a bounded log. In most runs it decides every request right. But nothing separates it from a sliding window counter: the intervals of their errors overlap (0 to 3 %, and 2 to 5 %). The price ",
  );
  const [apart] = textsOf(errorsOf([0, 1, 2], [3, 4, 5]), "choice");
  expect(apart).toContain("(1 % admitted too many). A sliding window counter has 4 %. The price ");
});

test("others on the front have what they save and the errors that it costs", () => {
  expect(textsOf(known, "saving").slice(0, 2)).toEqual([
    "With 3 gateways a fixed window saves 0.27 store operations and 984 bytes for each key, but admits 6.67 % too many.",
    "With 3 gateways DRL (distributed rate limiter: each gateway counts its share) saves 3 store operations, 776 bytes for each key and 1 ms, but refuses 13.2 % wrongly.",
  ]);
  const little = resultWith((algorithm) =>
    algorithm === "fixed_window"
      ? { over: 6.67, wrong: 0, operations: 2.92, bytes: 1040 }
      : (FIGURES[algorithm] ?? REST),
  );
  expect(textsOf(little, "saving").map((text) => / (\w+) \(/.exec(text)?.[1])).toEqual(["DRL"]);
  const alone = resultWith((algorithm) =>
    algorithm === "drl" ? { over: 0, wrong: 0, operations: 0, bytes: 1, latency: 0 } : {},
  );
  expect(textsOf(alone, "saving")).toEqual([]);
});

test("what another one does better is no price, and those that let nothing pass are named", () => {
  const factsWith = (over: number): ParetoResult =>
    resultWith(
      (algorithm) =>
        ({
          sliding_window_counter: { over: 0.926, wrong: 0, operations: 3, bytes: 120 },
          gcra: { over: 0.464, wrong: 13, operations: 1, bytes: 120 },
          drl: { over, wrong: 20, operations: 0, bytes: 120, latency: 0 },
        })[algorithm] ?? { over: 9, wrong: 20, operations: 3, bytes: 1088 },
    );
  const facts = factsWith(0);
  expect(textsOf(facts, "saving")).toEqual([
    "With 3 gateways GCRA saves 2 store operations, admits only 0.464 % too many, but refuses 13 % wrongly.",
    "With 3 gateways DRL (distributed rate limiter: each gateway counts its share) saves 3 store operations and 1 ms, admits none too many, but refuses 20 % wrongly.",
  ]);
  expect(textsOf(facts, "strict")).toEqual([
    "If nothing may pass the limit with 3 gateways, only DRL qualifies. It refuses 20 % wrongly.",
  ]);
  expect(textsOf(factsWith(0.009), "strict")).toEqual([
    "If next to nothing may pass the limit with 3 gateways, only DRL qualifies. It refuses 20 % wrongly.",
  ]);
  expect(textsOf(known, "strict")).toEqual([]);
});

test("the algorithms that another one beats are named, if there are any", () => {
  expect(textsOf(known, "beaten")[0]).toMatch(
    /^With 3 gateways leave out a token bucket, a sliding log, .* and \d others\. For each of them another algorithm has no more errors \(admitted too many or refused wrongly\) and costs no more\.$/,
  );
  expect(
    textsOf(
      resultWith(() => ({})),
      "beaten",
    ),
  ).toEqual([]);
});

test("a result with missing cells chooses nothing", () => {
  const part = result({ index: 1, of: 2 });
  expect(answerPareto(part).map(({ id }) => id)).toEqual(["missing"]);
  expect(textsOf(known, "missing")).toEqual([]);
});

test("the sentences on errors and traffic name the yardstick and the simulated traffic", () => {
  expect(textsOf(known, "question")[0]).toContain("exact sliding window");
  expect(textsOf(known, "traffic")[0]).toContain("(edges; 3 runs each, with other phases");
  expect(textsOf(known, "attempts")[0]).toMatch(/^A bounded log counts refused requests too\. It /);
  const steady = { ...known, suite: { ...known.suite, traffic: ["uniform"] as const } };
  expect(textsOf(steady, "attempts")).toEqual([]);
  expect(textsOf(steady, "choice")[0]).toMatch(/ and a steady 3 times the limit take /);
  const other = { ...known, suite: { ...known.suite, traffic: ["bursty", "edges"] as const } };
  expect(textsOf(other, "choice")[0]).toMatch(/^With 1 gateway and 2 shapes of traffic take /);
  expect(textsOf(other, "traffic")[0]).toContain(
    "(bursty and edges; 3 runs each, with other phases",
  );
});

test("commands are the same on every machine, and marked for terminals", () => {
  setStart("npx weir");
  onTestFinished(() => setStart("weir"));
  const commands = answerPareto(known).flatMap(({ text, command }) =>
    command === undefined ? [] : [[command, text.includes(command)]],
  );
  expect(commands).toEqual([
    ["weir pareto --traffic uniform", true],
    ["weir try", true],
  ]);
  expect(JSON.stringify(answerPareto(known))).not.toContain("npx");
});

// ---------------------------------------------------------------- random results

const figures: fc.Arbitrary<Figures> = fc.record({
  over: fc.constantFrom(0, 0, 2.5, 7),
  wrong: fc.constantFrom(0, 0, 4),
  burst: fc.constantFrom(1, 1.5),
  operations: fc.constantFrom(0, 1, 2.5, 3),
  bytes: fc.constantFrom(100, 300),
  latency: fc.constantFrom(0, 1),
});

/** None decides every request right: the fewest errors may be requests above the limit. */
const withErrors = fc
  .tuple(figures, fc.constantFrom({ over: 0, wrong: 4 }, { over: 2.5, wrong: 0 }))
  .map(([figure, errors]) => ({ ...figure, ...errors }));

const results: fc.Arbitrary<ParetoResult> = fc
  .tuple(
    fc.oneof(
      fc.array(figures, { minLength: 24, maxLength: 24 }),
      fc.array(withErrors, { minLength: 24, maxLength: 24 }),
    ),
    fc.option(fc.nat({ max: 23 }), { freq: 6 }),
  )
  .map(([each, left]) => {
    const { runs } = ORIGIN.suite;
    const all = each.map((one, at) => [at, Array.from({ length: runs }, () => one)] as const);
    return resultOf(ORIGIN, WHOLE, new Map(all.slice(0, left ?? all.length)));
  });

interface Cell extends Figures {
  readonly algorithm: string;
  readonly errors: number;
}

/** All runs of a cell are alike, and a fleet has one kind of traffic. */
const cellsAt = ({ cells }: ParetoResult, gateways: number): readonly Cell[] =>
  cells
    .filter((cell) => cell.gateways === gateways)
    .map(({ algorithm, runs: [run] }) => ({ algorithm, ...run!, errors: run!.over + run!.wrong }));

const isBeaten = (cell: Cell, cells: readonly Cell[]): boolean =>
  cells.some((other) => {
    const pairs = (["errors", "operations", "bytes", "latency"] as const).map(
      (name) => [other[name], cell[name]] as const,
    );
    return pairs.every(([a, b]) => a <= b) && pairs.some(([a, b]) => a < b);
  });

type Check = (of: ParetoResult, sentence: AnswerSentence) => void;

const CHECKS: Readonly<Record<string, Check>> = {
  choice: (of, { text, numbers }) => {
    const cells = cellsAt(of, numbers["gateways"]!);
    const least = Math.min(...cells.map(({ errors }) => errors));
    expect(numbers["over"]! + numbers["wrong"]!).toBe(least);
    expect(numbers["errors"]).toBe(least);
    expect(text.includes("nothing separates")).toBe(numbers["alike"] !== undefined);
    const more = cells.map(({ errors }) => errors).filter((errors) => errors > least);
    expect(numbers["next"]).toBe(more.length === 0 ? undefined : Math.min(...more));
    const best = cells.filter(({ errors }) => errors === least);
    expect(numbers["operations"]).toBe(Math.min(...best.map(({ operations }) => operations)));
    expect(text.includes("every request right")).toBe(least === 0);
  },
  saving: (of, { text, numbers }) => {
    const cells = cellsAt(of, numbers["gateways"]!);
    const least = Math.min(...cells.map(({ errors }) => errors));
    const cell = cells.find(
      (each) =>
        !isBeaten(each, cells) &&
        each.over === numbers["over"] &&
        each.wrong === numbers["wrong"] &&
        each.operations === numbers["operations"],
    );
    expect(cell!.errors).toBeGreaterThanOrEqual(least);
    expect(text).toMatch(/ saves \d/);
    expect(text.includes(", but ")).toBe(cell!.errors > least);
  },
  equal: (of, { numbers }) => {
    const cells = cellsAt(of, numbers["gateways"]!);
    const least = Math.min(...cells.map(({ errors }) => errors));
    const best = cells.filter((cell) => cell.errors === least && !isBeaten(cell, cells));
    expect(numbers["equal"]).toBeLessThan(best.length);
  },
  beaten: (of, { numbers }) => {
    const cells = cellsAt(of, numbers["gateways"]!);
    expect(cells.filter((cell) => isBeaten(cell, cells))).toHaveLength(numbers["beaten"]!);
  },
  strict: (of, { numbers }) => {
    const cells = cellsAt(of, numbers["gateways"]!);
    const least = Math.min(...cells.map(({ errors }) => errors));
    const strict = cells.filter(({ over }) => over === 0).map(({ wrong }) => wrong);
    expect(strict).toHaveLength(numbers["strict"]!);
    expect([numbers["from"], numbers["to"]]).toEqual([Math.min(...strict), Math.max(...strict)]);
    expect(cells.some(({ over, errors }) => over > 0 && errors === least)).toBe(true);
  },
  attempts: (of, { text }) => {
    expect(text).toMatch(/^A (?:bounded|sliding|non-transactional) log|^A log with a sentinel/);
    expect(of.suite.traffic.some((name) => ["uniform", "hammering"].includes(name))).toBe(false);
  },
  question: ({ metrics }) => expect(Object.keys(metrics)).toEqual(METRIC_NAMES),
  traffic: ({ suite }, { text }) => expect(text).toContain(suite.traffic[0]!),
  missing: ({ cells, suite }, { numbers }) => {
    expect(cells.length).toBeLessThan(cellsOf(suite).length);
    expect(numbers["cells"]).toBe(cells.length);
  },
};

test("each sentence states what the cells of a random result have", async () => {
  const seen = new Map(Object.keys(CHECKS).map((id) => [id, 0]));
  const property = fc.property(results, (of) => {
    const answer = answerPareto(of);
    expect(answer.length).toBeLessThanOrEqual(8);
    for (const sentence of answer) {
      seen.set(sentence.id, seen.get(sentence.id)! + 1);
      CHECKS[sentence.id]!(of, sentence);
    }
  });
  await holdsUntil(1, () => Math.min(...seen.values()), property, 12);
  expect(Math.min(...seen.values())).toBeGreaterThan(0);
});
