// The window of an ordered past, found by bisection, is the one of a full search.
import { array, boolean, nat, property, record } from "fast-check";
import { expect, test } from "vitest";
import {
  emptyLedger,
  enter,
  type LedgerAttempt,
  type Ledger,
  type Moment,
} from "#src/lab/oracle/ledger.ts";
import {
  inBoundedWindow,
  inOrderedWindow,
  inWindow,
  waitOf,
  type InWindow,
} from "#src/lab/oracle/log.ts";
import { isInOrder } from "#src/lab/oracle/past.ts";
import { attemptOf, momentOf } from "./attempts.ts";
import { oracleWorld } from "./evaluate.ts";
import { holds } from "../../runs.ts";

const world = oracleWorld({});
const PER_US = 100;

function ledgerOf(stamps: readonly number[], visits: readonly boolean[], capacity: number): Ledger {
  const ledger = emptyLedger();
  for (const [row, us] of stamps.entries()) {
    const trace: LedgerAttempt["trace"] = visits[row] === true ? "visited" : "admitted";
    enter(ledger, attemptOf(momentOf(row, us), { trace, rate: capacity, capacity }), world);
  }
  return ledger;
}

const summaryOf = (window: InWindow, now: Moment): unknown => ({
  least: window.least,
  most: window.most,
  waits: [1, 2, 3, 5, 8, 40].flatMap((k) =>
    [0, 1, 2].map((own) => waitOf(window, k, PER_US, now, { own, next: 1 })),
  ),
});

test("the window of an ordered past is what a search through all of it finds", () => {
  const past = array(record({ gapUs: nat({ max: 40 }), isVisit: boolean() }), {
    maxLength: 30,
    size: "max",
  });
  holds(
    property(past, nat(), nat({ max: 150 }), nat({ max: 12 }), (gaps, at, laterUs, capacity) => {
      let us = 0;
      const stamps = gaps.map(({ gapUs }) => (us += gapUs));
      const ledger = ledgerOf(
        stamps,
        gaps.map(({ isVisit }) => isVisit),
        capacity,
      );
      const row = at % (gaps.length + 1);
      const now = momentOf(row, (stamps[row - 1] ?? 0) + laterUs);
      const above = ledger.past.slice(0, row);
      expect(isInOrder(ledger, now, world, true)).toBe(true);
      expect(summaryOf(inOrderedWindow(ledger, now, PER_US), now)).toEqual(
        summaryOf(inWindow(above, now, PER_US), now),
      );
      expect(summaryOf(inOrderedWindow(ledger, now, PER_US, capacity), now)).toEqual(
        summaryOf(inBoundedWindow(above, now, PER_US), now),
      );
    }),
    500,
  );
});

test("a stamp before an earlier one, or one still to come, is no order", () => {
  const ledger = ledgerOf([0, 50, 40], [], 2);
  expect(isInOrder(ledger, momentOf(3, 60), world, false)).toBe(false);
  expect(isInOrder(ledgerOf([0, 50], [], 2), momentOf(2, 49), world, false)).toBe(false);
});
