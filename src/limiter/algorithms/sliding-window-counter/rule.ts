// Sliding window counter (ALG-C9): counts admitted requests in two windows that are aligned to the epoch. The older
// window is weighted by its part that is still inside the sliding window. All products are integers.
import { MILLIONTHS, millionths } from "../../core/limit.ts";
import type { NumberedRequests } from "../../core/numbered-requests.ts";
import { startOfWindow, SECOND } from "../../../kit/units.ts";

export const TWO_WINDOWS_WIDTH = 3;
const START = 0; // of the current window
const PREVIOUS = 1;
const CURRENT = 2;

/** The start of the window at `nowUs`, or of a later window that a gateway whose clock is ahead has begun. */
const windowOf = (cells: Float64Array, at: number, perUs: number, nowUs: number): number =>
  nowUs < cells[at + START]! + perUs ? cells[at + START]! : startOfWindow(nowUs, perUs);

function previousAt(cells: Float64Array, at: number, perUs: number, startUs: number): number {
  if (startUs === cells[at + START]!) return cells[at + PREVIOUS]!;
  return startUs === cells[at + START]! + perUs ? cells[at + CURRENT]! : 0;
}

const currentAt = (cells: Float64Array, at: number, startUs: number): number =>
  startUs === cells[at + START]! ? cells[at + CURRENT]! : 0;

const inside = (startUs: number, perUs: number, nowUs: number): number =>
  Math.min(perUs, startUs + perUs - nowUs);

/**
 * rate * per as an integer: a fraction never matters, because weights are integers. A rate with decimals is multiplied
 * in parts, because its millionths times the microseconds of a day exceed the exact integers of a double.
 */
export function allOf(rate: number, perUs: number): number {
  if (Number.isInteger(rate)) return rate * perUs;
  const whole = Math.floor(rate);
  const decimals = millionths(rate) - whole * MILLIONTHS;
  const seconds = Math.floor(perUs / SECOND);
  const rest = perUs - seconds * SECOND;
  return whole * perUs + decimals * seconds + Math.floor((decimals * rest) / MILLIONTHS);
}

/** How long until a request of this cost is admitted. */
export function wait(
  cells: Float64Array,
  row: number,
  rate: number,
  perUs: number,
  nowUs: number,
  units: number,
): number {
  if (rate < units) return Number.POSITIVE_INFINITY;
  const at = row * TWO_WINDOWS_WIDTH;
  const startUs = windowOf(cells, at, perUs, nowUs);
  const previous = previousAt(cells, at, perUs, startUs);
  const current = currentAt(cells, at, startUs);
  const all = allOf(rate, perUs);
  const room = all - (current + units) * perUs;
  if (previous * inside(startUs, perUs, nowUs) <= room) return 0;
  if (room >= 0) return startUs + perUs - Math.floor(room / previous) - nowUs;
  // No wait in this window is enough. In the next window, the current count becomes the previous count.
  const next = startUs + perUs;
  return next + Math.max(0, perUs - Math.floor((all - units * perUs) / current)) - nowUs;
}

export function spend(
  cells: Float64Array,
  row: number,
  perUs: number,
  nowUs: number,
  units: number,
): void {
  const at = row * TWO_WINDOWS_WIDTH;
  const startUs = windowOf(cells, at, perUs, nowUs);
  const previous = previousAt(cells, at, perUs, startUs);
  const current = currentAt(cells, at, startUs);
  cells[at + START] = startUs;
  cells[at + PREVIOUS] = previous;
  cells[at + CURRENT] = current + units;
}

/**
 * Decides requests of one unit in order, as `wait` and `spend` do. Writes the indexes of refused requests, and returns
 * how many. Requests of one client that follow each other share one read and one write of its cells.
 */
export function decideAll(
  cells: Float64Array,
  { rate, perUs }: { readonly rate: number; readonly perUs: number },
  { count, clients, atUs }: NumberedRequests,
  refused: Int32Array,
): number {
  const all = allOf(rate, perUs);
  let refusals = 0;
  for (let i = 0; i < count;) {
    const row = clients[i]!;
    const at = row * TWO_WINDOWS_WIDTH;
    let startUs = cells[at + START]!;
    let previous = cells[at + PREVIOUS]!;
    let current = cells[at + CURRENT]!;
    let endUs = startUs + perUs;
    let room = all - (current + 1) * perUs; // the most that the previous window may weigh to admit one more request
    do {
      const nowUs = atUs[i]!;
      if (nowUs >= endUs) {
        const isNext = nowUs < endUs + perUs;
        previous = isNext ? current : 0;
        current = 0;
        room = all - perUs;
        startUs = isNext ? endUs : startOfWindow(nowUs, perUs);
        endUs = startUs + perUs;
      }
      const insideUs = endUs - (nowUs > startUs ? nowUs : startUs);
      if (previous * insideUs <= room && rate >= 1) {
        current++;
        room -= perUs;
      } else refused[refusals++] = i;
      i++;
    } while (i < count && clients[i] === row);
    cells[at + START] = startUs;
    cells[at + PREVIOUS] = previous;
    cells[at + CURRENT] = current;
  }
  return refusals;
}

export function giveBack(
  cells: Float64Array,
  row: number,
  perUs: number,
  takenUs: number,
  units: number,
): void {
  const at = row * TWO_WINDOWS_WIDTH;
  const startUs = startOfWindow(takenUs, perUs);
  const where =
    startUs >= cells[at + START]!
      ? CURRENT
      : startUs + perUs === cells[at + START]!
        ? PREVIOUS
        : null;
  if (where !== null) cells[at + where] = Math.max(0, cells[at + where]! - units);
}

export function remaining(
  cells: Float64Array,
  row: number,
  rate: number,
  perUs: number,
  nowUs: number,
): number {
  const at = row * TWO_WINDOWS_WIDTH;
  const startUs = windowOf(cells, at, perUs, nowUs);
  const weighted = previousAt(cells, at, perUs, startUs) * inside(startUs, perUs, nowUs);
  const left = Math.floor((allOf(rate, perUs) - weighted) / perUs);
  return Math.max(0, left - currentAt(cells, at, startUs));
}

/** From this time on the row has no effect, because neither of its windows overlaps the sliding window. */
export const emptyUs = (cells: Float64Array, row: number, perUs: number): number =>
  cells[row * TWO_WINDOWS_WIDTH + START]! +
  (cells[row * TWO_WINDOWS_WIDTH + CURRENT]! > 0 ? 2 : 1) * perUs;
