import { expect, test } from "vitest";
import { runCase, type Case } from "../../bench/harness.ts";
import { tableOf } from "../../bench/table.ts";
import { figure } from "../../src/bench/figure.ts";
import { rng } from "../../src/chance/rng.ts";

/** A machine that gets slower with every measurement: only pairs of one round compare. */
function slowing(calls: string[]): Case {
  const measure = (name: string, value: number) => (): Promise<number> => {
    calls.push(name);
    return Promise.resolve(value * (1 + Math.floor((calls.length - 1) / 3)));
  };
  return {
    name: "a case",
    unit: "ns",
    better: "less",
    control: "theirs",
    candidates: [
      { name: "ours", role: "ours", measure: measure("ours", 10) },
      { name: "theirs", role: "control", measure: measure("theirs", 50) },
      { name: "others", role: "control", measure: measure("others", 30) },
    ],
    targets: [
      { candidate: "ours", against: ["theirs"], times: 5 },
      { candidate: "ours", against: ["theirs", "others"], times: 4 },
      { candidate: "theirs", against: ["ours"], times: 0.5 },
      { candidate: "ours", value: 30 },
    ],
    repeats: 3,
    warmUps: 1,
  };
}

const run = (one: Case, seed = 1): ReturnType<typeof runCase> =>
  runCase(one, { random: rng(seed, "test"), onMeasured: () => {} });

test("each round measures everybody once, in an order of its own", async () => {
  const calls: string[] = [];
  await run(slowing(calls));
  const rounds = [0, 3, 6, 9].map((from) => calls.slice(from, from + 3));
  for (const round of rounds) expect(round.toSorted()).toEqual(["others", "ours", "theirs"]);
  expect(new Set(rounds.map(String)).size).toBeGreaterThan(1);
});

test("the first round warms up, and raw values stay in their order", async () => {
  const { rows } = await run(slowing([]));
  expect(rows[0]).toMatchObject({
    name: "ours",
    values: [20, 30, 40],
    summary: { median: 30, min: 20, max: 40 },
  });
});

test("what slows down everybody changes no ratio", async () => {
  const { rows } = await run(slowing([]));
  expect(rows.map(({ ratio }) => ratio)).toEqual([
    { median: 0.2, min: 0.2, max: 0.2 },
    { median: 1, min: 1, max: 1 },
    { median: 0.6, min: 0.6, max: 0.6 },
  ]);
});

test("targets are judged against the best control, and by value", async () => {
  const { targets } = await run(slowing([]));
  expect(targets.map(({ text, met }) => [text, met])).toEqual([
    ["ours: at least 5 times as good as theirs", true],
    ["ours: at least 4 times as good as the best of theirs, others", false],
    ["theirs: within 2 times ours", false],
    ["ours: at most 30 ns", true],
  ]);
  expect(targets[1]!.measured).toEqual({ median: 3, min: 3, max: 3 });
});

test("where more is better, the larger one wins and a value is a floor", async () => {
  const one: Case = { ...slowing([]), better: "more", targets: [{ candidate: "ours", value: 31 }] };
  const { rows, targets } = await run(one);
  expect(rows[0]!.ratio.median).toBe(0.2);
  expect(targets[0]).toMatchObject({ text: "ours: at least 31 ns", met: false });
});

test("a measurement that is no number ends the run", async () => {
  const one = slowing([]);
  const broken: Case = {
    ...one,
    candidates: [{ name: "ours", role: "ours", measure: () => Promise.resolve(Number.NaN) }],
  };
  await expect(run(broken)).rejects.toThrow("a case: ours measured NaN");
});

test("the table puts each figure beside its control", async () => {
  const lines = tableOf(await run(slowing([])));
  expect(lines).toEqual([
    "a case",
    "             ns  min to max      times theirs",
    "  ours       30    20 to 40  0.2 (0.2 to 0.2)",
    "  (theirs)  150  100 to 200",
    "  (others)   90   60 to 120  0.6 (0.6 to 0.6)",
    "  target met: ours: at least 5 times as good as theirs; measured 5 (5 to 5)",
    "  target not met: ours: at least 4 times as good as the best of theirs, others; measured 3 (3 to 3)",
    "  target not met: theirs: within 2 times ours; measured 0.2 (0.2 to 0.2)",
    "  target met: ours: at most 30 ns; measured 30 (20 to 40)",
  ]);
});

test.each([
  [1_234_567, "1,234,567"],
  [184.4, "184"],
  [18.44, "18.4"],
  [1.844, "1.84"],
  [0.01844, "0.0184"],
  [0, "0"],
])("%d is written as %s", (value, text) => {
  expect(figure(value)).toBe(text);
});
