// The clock of a gateway on another host is not known, but it has one: what such a gateway does is right if it is right by
// some clock. So its history is checked by clocks that together are close to each that there may be.
import { micros } from "../../kit/units.ts";
import { entriesOf } from "../oracle/entries.ts";
import { clockDifferenceUs, clockWindowsUs, CLOCKS_DIFFER_US } from "../oracle/other-clock.ts";
import { worldOf } from "../oracle/world.ts";
import type { History } from "../scenario/history.ts";
import type { Variant } from "../scenario/types.ts";

/** More would cost time, fewer would explain more: each explains edges within 2 % of a window. */
const MOST_CLOCKS = 25;

/** The history as it would be by each clock; itself alone, unless nothing is known of the clock. */
export function historiesByClock(variant: Variant, history: History): readonly History[] {
  const { header } = history;
  const world = clockDifferenceUs(header) === Infinity ? worldOf(variant, history) : null;
  if (world === null) return [history];
  const windowsUs = entriesOf(history, world).flatMap(({ levels, configuration }) =>
    clockWindowsUs(levels, configuration),
  );
  if (windowsUs.length === 0) return [history];
  const periodUs = [...new Set(windowsUs)].reduce(leastCommonMultiple); // then all begin together again
  const clockUs = micros(Math.max(CLOCKS_DIFFER_US, Math.ceil(periodUs / MOST_CLOCKS / 2)));
  return Array.from({ length: Math.ceil(periodUs / clockUs / 2) }, (_, index) => ({
    ...history,
    header: {
      ...header,
      epochUs: micros(header.epochUs + 2 * index * clockUs),
      timing: { ...header.timing, clockUs },
    },
  }));
}

const leastCommonMultiple = (a: number, b: number): number => (a / greatestCommonDivisor(a, b)) * b;

const greatestCommonDivisor = (a: number, b: number): number =>
  b === 0 ? a : greatestCommonDivisor(b, a % b);
