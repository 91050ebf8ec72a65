import * as fc from "fast-check";
import { expect, test } from "vitest";
import { windowCounters } from "#src/lab/check/window-counters.ts";
import type { LedgerAttempt } from "#src/lab/oracle/ledger.ts";
import { holds } from "../../runs.ts";

const PER_US = 100;
const attempt = fc.record({
  loUs: fc.nat(400),
  length: fc.nat(150),
  cost: fc.integer({ min: 1, max: 3 }),
});

test("a window has the units of the requests that may be, and of those that are, inside", () => {
  holds(
    fc.property(fc.array(attempt, { maxLength: 30, size: "max" }), fc.nat(600), (drawn, endUs) => {
      const attempts = drawn.map(
        ({ loUs, length, cost }) => ({ loUs, hiUs: loUs + length, cost }) as LedgerAttempt,
      );
      const unitsWhere = (isInside: (one: LedgerAttempt) => boolean): number =>
        attempts.filter(isInside).reduce((sum, { cost }) => sum + cost, 0);
      const { possible, certain } = windowCounters(attempts, PER_US);
      const fromUs = endUs - PER_US;
      expect(possible(endUs)).toBe(unitsWhere(({ loUs, hiUs }) => hiUs > fromUs && loUs <= endUs));
      expect(certain(endUs)).toBe(unitsWhere(({ loUs, hiUs }) => loUs > fromUs && hiUs <= endUs));
    }),
    300,
  );
});
