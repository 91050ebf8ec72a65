// The window of a log with uncertain attempts: which are certainly in it, and which perhaps.
import { expect, test } from "vitest";
import type { Past } from "#src/lab/oracle/ledger.ts";
import { inBoundedWindow, inWindow, waitOf } from "#src/lab/oracle/log.ts";
import { attemptOf, momentOf } from "./attempts.ts";

const PER_US = 100;

/** "10 yes 2" is an attempt at 10 that counts, against a limit of 2; "visited" left nothing. */
const pastOf = (text: string): Past[] =>
  text.split(", ").map((word, row): Past => {
    const [us, counts, capacity] = word.split(" ");
    return {
      attempt: attemptOf(momentOf(row, Number(us)), {
        trace: counts === "visited" ? "visited" : "admitted",
        rate: Number(capacity),
        capacity: Number(capacity),
      }),
      counts: counts === "maybe" ? "maybe" : "yes",
    };
  });

test.each([
  ["10 yes 2, 20 yes 2, 30 yes 2", 2, 2, 30],
  ["30 yes 1, 10 yes 1", 1, 1, 30],
  ["10 yes 1, 20 maybe 1, 30 yes 1", 1, 3, 30],
  ["10 yes 1, 20 maybe 1", 1, 2, 10],
  ["10 yes 2, 20 yes 2, 30 yes 1", 2, 3, 30],
  ["10 yes 1, 20 yes 2, 30 yes 2", 2, 3, 30],
  ["10 maybe 0, 20 yes 0", 0, 2, undefined],
  ["10 yes 1, 120 visited 1", 0, 1, undefined],
  ["20 yes 1, 120 visited 1", 0, 1, undefined],
  ["21 yes 1, 120 visited 1", 1, 1, 21],
  ["20 yes 1, 30 maybe 1, 130 visited 1", 0, 2, undefined],
] as const)(
  "of %s a bounded log holds %d to %d at 100, the newest of %j",
  (text, least, most, newest) => {
    const window = inBoundedWindow(pastOf(text), momentOf(9, 100), PER_US);
    expect([window.least, window.most, window.certain(1)]).toEqual([least, most, newest]);
  },
);

test.each([
  ["10 yes 9", 50, 0, true, Number.POSITIVE_INFINITY],
  ["10 yes 9", 50, 1, false, 60],
  ["10 yes 9", 50, 1, true, 100],
  ["10 yes 9", 50, 2, true, 60],
  ["10 yes 9", 50, 3, true, 0],
  ["60 yes 9, 80 yes 9", 50, 2, true, 110],
  ["60 yes 9, 80 yes 9", 50, 1, true, 130],
] as const)(
  "with %s, who comes at %d and needs room for %d, written %s, waits %d",
  (text, now, k, written, waitUs) => {
    const window = inWindow(pastOf(text), momentOf(9, now), PER_US);
    const waits = waitOf(window, k, PER_US, momentOf(9, now), { own: written ? 1 : 0, next: 1 });
    expect(waits).toEqual({ fromUs: waitUs, toUs: waitUs });
  },
);
