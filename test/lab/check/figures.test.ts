import { describe, expect, test } from "vitest";
import { micros, SECOND } from "#src/kit/units.ts";
import type { Comparison, Invariant, Measure, Quantity } from "#src/lab/scenario/types.ts";
import { BOUNDED, rowsOf, type HistoryText, type Row } from "../../histories/history.ts";
import { EVERYTHING } from "../../histories/world.ts";
import { verdictOn } from "./verdict-on.ts";

const ROWS: readonly Row[] = [2, 3, 4].map((commands, at) => ({
  at,
  commandsBefore: commands,
  commandsAll: commands + 1,
}));
/** The history has no commands of a lost request. */
const WITH_LOST: readonly Row[] = [...ROWS, { at: 3, lost: "ended" }];
const STORE = { commands: 12, inner: 6, peakEntries: 7, peakBytes: 90 };
const HISTORY: HistoryText = { rows: ROWS, store: STORE };
const atMost = (value: number): Comparison => ({ op: "atMost", value });
const before: Quantity = { of: "storeCommands", before: "answer", per: "request" };
const all: Quantity = { of: "storeCommands", before: "all", per: "request" };
const quantity = (of: Quantity, comparison: Comparison, filter = EVERYTHING): Measure => ({
  kind: "quantity",
  quantity: of,
  filter,
  comparison,
});

describe("a measured value has its name and its unit", () => {
  test.each<[Quantity, Comparison, HistoryText, string, string]>([
    [
      before,
      atMost(4),
      HISTORY,
      "pass: expected at most 4 store commands a request, before the answer; observed [2, 4]",
      "3 0 1 2",
    ],
    [
      before,
      atMost(3),
      HISTORY,
      "fail: expected at most 3 store commands a request, before the answer; observed [2, 4]",
      "3 2",
    ],
    [
      before,
      { op: "atLeast", value: 3 },
      HISTORY,
      "fail: expected at least 3 store commands a request, before the answer; observed [2, 4]",
      "3 0",
    ],
    [
      all,
      atMost(5),
      HISTORY,
      "pass: expected at most 5 store commands a request, in all; observed [3, 5]",
      "3 0 1 2",
    ],
    [
      all,
      { op: "between", from: 3, to: 5 },
      { ...HISTORY, rows: WITH_LOST },
      "pass: expected between 3 and 5 store commands a request, in all; observed [3, 5]",
      "3 0 1 2",
    ],
    [
      all,
      atMost(5),
      {},
      "vacuous: expected at most 5 store commands a request, in all; observed no request",
      "0",
    ],
    [
      { of: "storeOps", per: "request" },
      atMost(6),
      HISTORY,
      "pass: expected at most 6 store operations a request; observed 6",
      "3",
    ],
    [
      { of: "storeOps", per: "total" },
      atMost(17),
      HISTORY,
      "fail: expected at most 17 store operations in total; observed 18",
      "3",
    ],
    [
      { of: "storeOps", per: "total" },
      atMost(18),
      { ...HISTORY, rows: WITH_LOST },
      "pass: expected at most 18 store operations in total; observed 18",
      "4",
    ],
    [
      { of: "storeOps", per: "peak" },
      atMost(18),
      HISTORY,
      "error: expected at most 18 store operations at the peak; observed store operations at the peak: the history does not record this",
      "0",
    ],
    [
      { of: "storeEntries", per: "peak" },
      atMost(7),
      HISTORY,
      "pass: expected at most 7 store entries at the peak; observed 7",
      "3",
    ],
    [
      { of: "storeEntries", per: "total" },
      atMost(7),
      HISTORY,
      "error: expected at most 7 store entries in total; observed store entries in total: the history does not record this",
      "0",
    ],
    [
      { of: "storeBytes", per: "request" },
      atMost(30),
      HISTORY,
      "pass: expected at most 30 store bytes a request; observed 30",
      "3",
    ],
    [
      { of: "storeBytes", per: "total" },
      atMost(30),
      HISTORY,
      "error: expected at most 30 store bytes in total; observed store bytes in total: the history does not record this",
      "0",
    ],
  ])("%j, %j", (of, comparison, history, text, numbers) => {
    const found = verdictOn(quantity(of, comparison), history);
    expect(`${found.outcome}: expected ${found.expected}; observed ${found.observed}`).toBe(text);
    expect([found.examined, ...found.evidence].join(" ")).toBe(numbers);
  });

  test("a total of the run cannot be filtered, and a stranger has no figure", () => {
    const ops: Quantity = { of: "storeOps", per: "total" };
    const only = { ...EVERYTHING, status: [200] };
    expect(verdictOn(quantity(ops, atMost(1), only), HISTORY)).toMatchObject({
      outcome: "error",
      observed: "store operations in total: a total of the run cannot be filtered",
    });
    const stranger = { ...EVERYTHING, flow: ["other"] };
    expect(verdictOn(quantity(all, atMost(1), stranger), HISTORY)).toMatchObject({
      outcome: "error",
      observed: 'the run has no flow "other"',
    });
  });
});

describe("the fullest window", () => {
  const windows = (
    rows: readonly Row[],
    more: HistoryText = {},
    status: readonly number[] | null = null,
  ) => {
    const filter = { ...EVERYTHING, status };
    const windowUs = micros(SECOND);
    const measure = { kind: "maxInAnyWindow", filter, windowUs, comparison: atMost(2) } as const;
    const { outcome, observed, evidence } = verdictOn(measure, { rows, ...more });
    return [`${outcome}: ${observed}`, evidence];
  };

  test("is reported with its end and its requests", () => {
    const rows = [{ at: 0 }, { at: 0.5 }, { at: 1 }, { at: 1.4 }, { at: 5 }];
    expect(windows(rows)).toEqual(["fail: 3 in the 1s up to 1.4s", [1, 2, 3]]);
    expect(windows([])).toEqual(["vacuous: 0", []]);
    expect(windows(rowsOf("3*429", 0, 0))).toEqual(["vacuous: 0", []]);
    const refused = windows(rowsOf("3*429", 0, 0), {}, [429]);
    expect(refused).toEqual(["fail: 3 in the 1s up to 0s", [0, 1, 2]]);
    const open = { at: 0, span: [0, 1] as const };
    expect(windows([open, { at: 0.5 }, { at: 0.6 }], { timing: BOUNDED })).toEqual([
      "inconclusive: [2, 3] in the 1s up to 600ms",
      [0, 1, 2],
    ]);
  });
});

describe("an invariant that does not hold", () => {
  const broken = (rule: Invariant, history: HistoryText) => {
    const { outcome, observed, examined, evidence } = verdictOn(
      { kind: "invariant", rule },
      history,
    );
    return [`${outcome}: ${observed}`, [examined, ...evidence].join(" ")];
  };

  test("is reported by its first case and the number of others", () => {
    const rows = [0, 0.5, -1].map((retryAfter, at) => ({ at, status: 400 + at, retryAfter }));
    const first = "fail: only:1 is answered 400 with Retry-After 0";
    expect(broken("retry-after", { rows })).toEqual([`${first}, and 2 more`, "3 0 1 2"]);
    expect(broken("retry-after", { rows: rows.slice(0, 1) })).toEqual([first, "1 0"]);
    const right = [{ at: 0, status: 400, retryAfter: 1 }];
    expect(broken("retry-after", { rows: right })).toEqual(["pass: 1 looked at", "1"]);
  });
});
