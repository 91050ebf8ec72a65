import { expect, test } from "vitest";
import { liveLine, secondsLeft, timeText } from "#src/studies/bench/progress-line.ts";
import { markdownOf } from "#src/studies/bench/markdown.ts";
import { timesOf, yardstick } from "#src/studies/bench/medians.ts";
import { tableLines } from "#src/studies/bench/table.ts";
import { cellOf, PLAIN, resultOf } from "./bench-results.ts";

const UNLIMITED = cellOf(
  "unlimited",
  { cpu: [100, 200, 100], throughput: [1_000, 500, 1_000] },
  "unlimited",
);
const BASE = cellOf("base", {
  cpu: [110, 220, 121],
  throughput: [900, 450, 1_100],
  refused: [0, 0, 0],
});
const result = resultOf([BASE, UNLIMITED], []);

test("ratios are formed in each round, so that a slow one moves none", () => {
  expect(timesOf(BASE, UNLIMITED, "cpu")).toBeCloseTo(1.1);
  expect(timesOf(BASE, UNLIMITED, "p99")).toBeNull();
});

test("a round with only one of two cells counts for neither", () => {
  const cut = { ...UNLIMITED, repeats: UNLIMITED.repeats.slice(2) };
  expect(timesOf(BASE, cut, "cpu")).toBeCloseTo(1.21);
});

test("the reference is Weir without a limit, else the cheapest server", () => {
  expect(yardstick(result, "cpu")?.name).toBe("unlimited");
  expect(yardstick(resultOf([BASE, cellOf("upstream", {}, "upstream")], []), "cpu")?.name).toBe(
    "upstream",
  );
  expect(yardstick(resultOf([BASE], []), "cpu")?.name).toBe("base");
  expect(yardstick(resultOf([cellOf("demand=2", {})], []), "cpu")).toBeNull();
});

test("a table has medians, their distances and ratios, and controls in brackets", () => {
  expect(tableLines(result, PLAIN)).toEqual([
    "             cpu us  +-  x unlimited  answers/s   +-  x unlimited  p50 ms  p99 ms  +-  refused  errors",
    "base            121  11          1.1        900  200          0.9                          0 %",
    "(unlimited)     100   0                   1,000    0",
  ]);
});

test("one repeat has no distance from a median", () => {
  const once = resultOf([cellOf("base", { cpu: [50] })], []);
  expect(tableLines(once, PLAIN).at(-1)).toBe("base      50");
});

test("a cell that refused another share than its control is marked and has no multiples", () => {
  const log = cellOf("algorithm=sliding_log", { cpu: [50, 51, 49], refused: [0, 6, 90] });
  const few = cellOf("store=redis", { cpu: [150, 300, 150], refused: [1, 2, 2] });
  const lines = tableLines(resultOf([BASE, log, few, UNLIMITED], []), PLAIN);
  const columns = (name: string) => lines.find((line) => line.startsWith(name))!.split(/ {2,}/);
  expect(columns("algorithm=sliding_log *")).toEqual([
    "algorithm=sliding_log *",
    "50",
    "1",
    "32 %",
  ]);
  expect(columns("store=redis")).toEqual(["store=redis", "150", "0", "1.5", "1.7 %"]);
  expect(lines.at(-1)).toBe(
    "* not compared: algorithm=sliding_log 32 % refused, unlimited 0 %, and a refusal costs less",
  );
});

test("a narrow table continues below, and the legend is printed where it is wanted", () => {
  const narrow = tableLines(result, { ...PLAIN, width: 40 });
  expect(Math.max(...narrow.map(({ length }) => length))).toBeLessThanOrEqual(40);
  expect(narrow.filter((line) => line.startsWith("(unlimited)")).length).toBeGreaterThan(1);
  const all = tableLines(result, { ...PLAIN, hasLegend: true });
  expect(all).toContain("+-: half of the repeats are this near to the median");
  expect(tableLines(result, PLAIN).join("\n")).not.toContain("half of the repeats");
});

test("a page has the reason of the end, and every warning", () => {
  const page = markdownOf({ ...result, stopped: "it was interrupted", warnings: ["too busy"] });
  expect(page).toContain("**Partial:** it was interrupted.");
  expect(page).toContain("| (unlimited) | 100 |");
  expect(page).toMatch(/\n- too busy$/);
});

test("the progress line has the current cell and the remaining time", () => {
  const progress = { answers: 500, refused: 250, errors: 0, p99Us: 1_234 };
  const going = { subject: "demand=2", progress, elapsedSeconds: 0.25, secondsLeft: 130 };
  expect(liveLine(going)).toBe("demand=2: 2,000/s, p99 1.23 ms, 429 50 %, 2 min 10 s left");
  const silent = { ...progress, answers: 0, refused: 0, errors: 3, p99Us: null };
  expect(liveLine({ ...going, progress: silent })).toBe(
    "demand=2: 0/s, p99 none, 429 0 %, 3 errors, 2 min 10 s left",
  );
});

test("the remaining time is estimated first, and then follows from the repeats", () => {
  expect(secondsLeft(100, { done: 0, of: 20, forSeconds: 9 })).toBe(100);
  expect(secondsLeft(100, { done: 5, of: 20, forSeconds: 10 })).toBe(30);
});

test.each([
  [-3, "0 s"],
  [59.4, "59 s"],
  [61, "1 min 1 s"],
  [3_600 * 9 + 60 * 5, "9 h 5 min"],
])("%d seconds are %s", (seconds, text) => {
  expect(timeText(seconds)).toBe(text);
});
