// Fixed window (ALG-8, ALG-C3), DRL's share on one gateway (ALG-C4) and the quota (LIM-C9) are the same rule: a count
// with a window. They differ in the capacity that is passed in.
import type { NumberedRequests } from "../../core/numbered-requests.ts";
import { startOfWindow } from "../../../kit/units.ts";

/** How many numbers a budget has, adjacent in `cells`: sixteen bytes for each of a million budgets. */
const WIDTH = 2; // not exported, because V8 inlines only constants of the same module
export const COUNTER_WIDTH = WIDTH;
const START = 0;
const COUNT = 1;

/** True until the window ends. The window may start after `nowUs`: a gateway whose clock is ahead began it for all. */
const isOpen = (cells: Float64Array, at: number, perUs: number, nowUs: number): boolean =>
  nowUs < cells[at + START]! + perUs;

export const countAt = (cells: Float64Array, row: number, perUs: number, nowUs: number): number =>
  isOpen(cells, row * WIDTH, perUs, nowUs) ? cells[row * WIDTH + COUNT]! : 0;

/** How long until one more unit is admitted; 0: now, infinity: never. Reads only. */
export function wait(
  cells: Float64Array,
  row: number,
  capacity: number,
  perUs: number,
  nowUs: number,
): number {
  if (countAt(cells, row, perUs, nowUs) < capacity) return 0;
  return capacity < 1 ? Number.POSITIVE_INFINITY : endUs(cells, row, perUs) - nowUs;
}

/** Adds `units` to the count of the current window, and returns the new count. */
export function spend(
  cells: Float64Array,
  row: number,
  perUs: number,
  nowUs: number,
  startsAtClock: boolean,
  units: number,
): number {
  const count = countAt(cells, row, perUs, nowUs) + units;
  writeCount(cells, row, perUs, nowUs, startsAtClock, count);
  return count;
}

/** Writes a count that the caller computed from `countAt` at the same time. Returns the end of the window. */
export function writeCount(
  cells: Float64Array,
  row: number,
  perUs: number,
  nowUs: number,
  startsAtClock: boolean,
  count: number,
): number {
  const at = row * WIDTH;
  if (!isOpen(cells, at, perUs, nowUs))
    cells[at + START] = startsAtClock ? startOfWindow(nowUs, perUs) : nowUs;
  cells[at + COUNT] = count;
  return cells[at + START]! + perUs;
}

/**
 * For each request of one unit, writes how many earlier attempts of its client are in the window. A request is admitted
 * if that count is below the capacity, whatever the capacity is: refused attempts never move a window. Requests of one
 * client that follow each other share one read and one write of its cells.
 */
export function countAll(
  cells: Float64Array,
  { perUs, startsAtClock }: { readonly perUs: number; readonly startsAtClock: boolean },
  { count, clients, atUs }: NumberedRequests,
  counts: Int32Array,
): void {
  for (let i = 0; i < count;) {
    const row = clients[i]!;
    const at = row * WIDTH;
    let startUs = cells[at + START]!;
    let attempts = cells[at + COUNT]!;
    do {
      const nowUs = atUs[i]!;
      if (nowUs >= startUs + perUs) {
        startUs = startsAtClock ? startOfWindow(nowUs, perUs) : nowUs;
        attempts = 0;
      }
      counts[i] = attempts++;
      i++;
    } while (i < count && clients[i] === row);
    cells[at + START] = startUs;
    cells[at + COUNT] = attempts;
  }
}

/** Copies the cells and adds cells for new clients, up to `rows` clients; a new client has no window. */
export function enlargeCounters(cells: Float64Array, rows: number): Float64Array {
  const larger = new Float64Array(WIDTH * rows).fill(Number.NEGATIVE_INFINITY, cells.length);
  larger.set(cells);
  return larger;
}

/** Refunds the units that a request spent at `takenUs`, unless their window has ended since (LIM-C1). */
export function giveBack(
  cells: Float64Array,
  row: number,
  perUs: number,
  takenUs: number,
  units: number,
): void {
  const at = row * WIDTH;
  if (takenUs < cells[at + START]! || !isOpen(cells, at, perUs, takenUs)) return;
  cells[at + COUNT] = Math.max(0, cells[at + COUNT]! - units);
  // Every unit is refunded, so the next request starts a new window (ALG-C3).
  if (cells[at + COUNT] === 0) cells[at + START] = Number.NEGATIVE_INFINITY;
}

export const endUs = (cells: Float64Array, row: number, perUs: number): number =>
  cells[row * WIDTH + START]! + perUs;
