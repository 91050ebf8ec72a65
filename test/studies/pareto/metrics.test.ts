import { expect, test } from "vitest";
import { errorsIn, figuresOf } from "#src/studies/pareto/metrics.ts";
import { historyOf, rowsOf, type Row } from "../../histories/history.ts";

const SECOND = 1_000_000;

/** Of a limit of 2 a second. */
const errors = (rows: readonly Row[]) => errorsIn(historyOf({ rows }).requests, 2, SECOND);

test.each([
  ["what fits is right", rowsOf("2*200", 0, 0.1), { over: 0, wrong: 0, fullest: 2 }],
  ["the third within a second is over", rowsOf("3*200", 0, 0.1), { over: 1, wrong: 0, fullest: 3 }],
  ["a second later there is room", rowsOf("3*200", 0, 0.5), { over: 0, wrong: 0, fullest: 2 }],
  ["a refusal with room is wrong", rowsOf("200 429", 0, 0.1), { over: 0, wrong: 1, fullest: 1 }],
  ["one without is right", rowsOf("2*200 3*429", 0, 0.1), { over: 0, wrong: 0, fullest: 2 }],
  [
    "no more are wrongly refused than were owed",
    rowsOf("200 5*429", 0, 0.1),
    { over: 0, wrong: 1, fullest: 1 },
  ],
  [
    "one that was over takes no place of those behind it",
    [...rowsOf("3*200", 0, 0.4), ...rowsOf("200", 1.1, 0)],
    { over: 1, wrong: 0, fullest: 3 },
  ],
] as const)("%s", (_, rows, expected) => {
  expect(errors(rows)).toEqual(expected);
});

test("keys are counted apart, and gateways together", () => {
  const of = (more: object) => rowsOf("2*200", 0, 0.1).map((row) => ({ ...row, ...more }));
  expect(errors([...of({ key: "alice" }), ...of({ key: "bob" })])).toMatchObject({ over: 0 });
  expect(errors([...of({ gateway: 0 }), ...of({ gateway: 1 })])).toMatchObject({ over: 2 });
});

test("it counts when a request was decided, not when it was sent", () => {
  const rows = [
    { at: 0, span: [0.9, 0.9] },
    { at: 0.1, span: [0.1, 0.1] },
    { at: 0.2, span: [1.15, 1.15] },
  ] as const;
  expect(errors(rows.map((row) => ({ ...row, status: 200 })))).toMatchObject({ over: 0 });
});

test("shares are of all requests, bursts of the limit, bytes of a key", () => {
  const rows = rowsOf("3*200 429", 0, 0.1).map((row) => ({ ...row, answered: row.at + 0.002 }));
  const history = historyOf({ rows, store: { commands: 4, inner: 8 } });
  expect(figuresOf(history, { rate: 2, perUs: SECOND, bytes: 300 })).toEqual({
    over: 25,
    wrong: 0,
    burst: 1.5,
    operations: 3,
    bytes: 300,
    latency: 2,
  });
});
