import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { UnreachableTarget } from "#src/lab/drivers/driver.ts";
import { watchSilence } from "#src/lab/drivers/silence.node.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** What the watch reports, by seconds; `countsAt` has the counts of each. */
function reportsBy(countsAt: (s: number) => { waiting: number; responses: number }): string[] {
  const reports: string[] = [];
  let s = 0;
  const end = watchSilence(
    "http://gateway",
    () => countsAt(s),
    (line) => reports.push(`${s}: ${line}`),
    (error) => {
      expect(error).toBeInstanceOf(UnreachableTarget);
      reports.push(`${s}: ${error.message}`);
      end();
    },
  );
  for (s = 1; s <= 30; s++) vi.advanceTimersByTime(1_000);
  end();
  return reports;
}

test("a gateway that never responds is named after 5 s, and given up after 15 s", () => {
  expect(reportsBy(() => ({ waiting: 3, responses: 0 }))).toEqual([
    "5: waiting for http://gateway: 3 requests without a response for 5 s",
    "15: http://gateway accepts connections and sends no response: 3 requests waited 15 s; look in the log of the gateway",
  ]);
});

test("the silence begins with the first request, and not with the run", () => {
  const reports = reportsBy((s) => ({ waiting: s < 8 ? 0 : 1, responses: 0 }));
  expect(reports.map((line) => Number.parseInt(line, 10))).toEqual([12, 22]);
});

test("one that has responded is only waited for", () => {
  const reports = reportsBy((s) => ({ waiting: 2, responses: s < 4 ? 0 : s < 20 ? 1 : 2 }));
  expect(reports.map((line) => Number.parseInt(line, 10))).toEqual([9, 25]);
});

test("one that responds in time is not named", () => {
  expect(reportsBy((s) => ({ waiting: 2, responses: s }))).toEqual([]);
});
