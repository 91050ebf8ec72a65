// The windows that may be running, and how many each may have counted: every possibility is followed.
import { expect, test } from "vitest";
import type { Past } from "#src/lab/oracle/ledger.ts";
import {
  possibilitiesAfter,
  evaluateWindow,
  NO_WINDOW,
  type Possibility,
  type WindowRule,
} from "#src/lab/oracle/window.ts";
import { attemptOf, momentOf } from "./attempts.ts";

const PER_US = 100;
const rule = (
  capacity: number,
  alignedToUs: number | null = null,
  isRaced = false,
): WindowRule => ({ perUs: PER_US, capacity, shown: capacity, alignedToUs, isRaced, cost: 1 });

/** "10-30 maybe" was perhaps counted, from 10 to 30. */
const pastOf = (text: string): Past[] =>
  text.split(", ").map((word, row): Past => {
    const [span = "", counts] = word.split(" ");
    const [loUs = 0, hiUs = loUs] = span.split("-").map(Number);
    return {
      attempt: attemptOf(momentOf(row, loUs, hiUs)),
      counts: counts === "maybe" ? "maybe" : "yes",
    };
  });

/** "row 0 from 10-30: 1-2" was begun by row 0 and has counted one or two. */
const inWords = (possibilities: readonly Possibility[]): string =>
  possibilities
    .map(
      ({ name, startLoUs, startHiUs, least, most }) =>
        `${name} from ${startLoUs}-${startHiUs}: ${least}-${most}`,
    )
    .join(", ");

test.each([
  ["10, 20", "row 0 from 10-10: 2-2"],
  ["10, 20 maybe", "row 0 from 10-10: 1-2"],
  ["10-30, 20", "row 0 from 10-20: 2-2"],
  ["10-30, 20 maybe", "row 0 from 10-30: 1-2"],
  ["10-30, 20-40", "row 0 from 10-30: 1-2"],
  ["10-30, 30-40", "row 0 from 10-30: 2-2"],
  ["10-30, 5", "row 0 from 5-10: 2-2"],
  ["10-30, 5-8", "row 0 from 5-30: 1-2"],
  ["10, 5-40", "row 0 from 5-10: 1-2"],
  ["10, 5", "row 0 from 10-10: 2-2"],
  ["10, 40-50", "row 0 from 10-10: 2-2"],
  ["10, 109", "row 0 from 10-10: 2-2"],
  ["10, 110", "row 1 from 110-110: 1-1"],
  ["10-30, 115-120", "row 0 from 10-30: 2-2, row 1 from 115-120: 1-1"],
  ["10-30, 115-120 maybe", "row 0 from 10-30: 1-2, row 1 from 115-120: 1-1"],
  ["10-30, 5-120 maybe", "row 0 from 5-30: 1-2, row 1 from 5-120: 1-1"],
  [
    "10-30, 115-120, 118-125",
    "row 0 from 10-30: 3-3, row 2 from 118-125: 1-1, row 1 from 115-120: 1-2",
  ],
])("after %s a window that the first begins: %s", (text, expected) => {
  expect(inWords(possibilitiesAfter([NO_WINDOW], pastOf(text), rule(9)))).toBe(expected);
});

test("of two under way at the store together either may have begun the window", () => {
  const [first, second, third] = pastOf("10, 20, 50");
  const until = (past: Past, flightToUs: number): Past => ({
    ...past,
    attempt: { ...past.attempt, flightToUs },
  });
  const past = [until(first!, 30), second!, third!];
  expect(inWords(possibilitiesAfter([NO_WINDOW], past, rule(9, null, true)))).toBe(
    "row 0 from 10-20: 3-3",
  );
  expect(inWords(possibilitiesAfter([NO_WINDOW], past, rule(9)))).toBe("row 0 from 10-10: 3-3");
});

/** [trace, instant, end of its flight]. */
type InFlight = readonly ["refunded" | "admitted", number, number];
const REFUNDED: InFlight = ["refunded", 10, 30];

test.each<[readonly InFlight[], string]>([
  [[REFUNDED, ["admitted", 20, 40]], "row 1 from 20-20: 1-1, row 0 from 10-20: 1-1"],
  [[REFUNDED, ["admitted", 40, 50]], "row 1 from 40-40: 1-1"],
  [[["admitted", 5, 8], REFUNDED, ["admitted", 20, 40]], "row 0 from 5-5: 2-2"],
  // Another one that is refunded later keeps the window until then.
  [
    [REFUNDED, ["refunded", 25, 50], ["admitted", 45, 60]],
    "row 2 from 45-45: 1-1, row 0 from 10-45: 1-1, row 1 from 25-45: 1-1",
  ],
  [
    [REFUNDED, ["refunded", 35, 50], ["admitted", 45, 60]],
    "row 2 from 45-45: 1-1, row 1 from 35-45: 1-1",
  ],
])(
  "a request that is refunded may have begun a window that others keep: %j",
  (attempts, expected) => {
    const past = attempts.map(([trace, atUs, flightToUs], row): Past => {
      const moment = { ...momentOf(row, atUs), flightToUs };
      return { attempt: attemptOf(moment, { trace }), counts: "yes" };
    });
    expect(inWords(possibilitiesAfter([NO_WINDOW], past, rule(9, null, true)))).toBe(expected);
  },
);

test("a window that is kept by no other request has counted nothing", () => {
  const attempt = attemptOf({ ...momentOf(0, 10), flightToUs: 30 }, { trace: "refunded" });
  const after = possibilitiesAfter([NO_WINDOW], [{ attempt, counts: "yes" }], rule(1, null, true));
  expect(evaluateWindow(after, momentOf(1, 50), rule(1))).toMatchObject({
    pass: true,
    refuse: false,
    why: "no window is running",
  });
});

test.each([
  ["10, 90", 0, "window 0 from 0-0: 2-2"],
  ["10, 90", 50, "window 50 from 50-50: 1-1"],
  ["90-110", 0, "window 0 from 0-0: 1-1, window 100 from 100-100: 1-1"],
  ["90-110, 120", 0, "window 100 from 100-100: 1-2"],
])("after %s a window of the clock, %d after a beginning: %s", (text, alignedToUs, expected) => {
  expect(inWords(possibilitiesAfter([NO_WINDOW], pastOf(text), rule(9, alignedToUs)))).toBe(
    expected,
  );
});

const TWO: readonly Possibility[] = [
  { name: "one", startLoUs: 0, startHiUs: 10, underWayUntilUs: 10, least: 1, most: 3 },
  { name: "other", startLoUs: 20, startHiUs: 30, underWayUntilUs: 30, least: 2, most: 2 },
];
test.each([
  [1, 50, 55, { pass: false, refuse: true, waitUs: { fromUs: 45, toUs: 80 } }],
  [2, 50, 55, { pass: true, refuse: true, waitUs: { fromUs: 45, toUs: 80 } }],
  [3, 50, 55, { pass: true, refuse: true, waitUs: { fromUs: 45, toUs: 60 } }],
  [4, 50, 55, { pass: true, refuse: false, waitUs: { fromUs: 0, toUs: 0 } }],
  [1, 99, 100, { pass: true, refuse: true, waitUs: { fromUs: 0, toUs: 31 } }],
  [1, 130, 130, { pass: true, refuse: false, why: "no window is running" }],
])("of %d allowed, from %d to %d: %j", (capacity, loUs, hiUs, expected) => {
  expect(evaluateWindow(TWO, momentOf(9, loUs, hiUs), rule(capacity))).toMatchObject(expected);
});
