// The stamps of many logs in one arena: each log is a ring that doubles when full, so a request costs
// constant time over a run however long its window is, and an idle log costs a few bytes. Blocks are
// powers of two and go back to a list of their size.

export interface StampRows {
  arena: Float64Array;
  offset: Float64Array; // of the row's block in the arena
  size: Uint32Array; // of the block; 0: none yet
  head: Uint32Array; // oldest, relative to the block
  count: Uint32Array;
  top: number; // first arena cell never handed out
  held: number; // stamps over all rows
  readonly free: number[][]; // by log2 of the size
}

const SMALLEST = 2;

export const stampRows = (rows: number): StampRows => ({
  arena: new Float64Array(rows * SMALLEST),
  offset: new Float64Array(rows),
  size: new Uint32Array(rows),
  head: new Uint32Array(rows),
  count: new Uint32Array(rows),
  top: 0,
  held: 0,
  free: [],
});

const cell = (rows: StampRows, row: number, index: number): number =>
  rows.offset[row]! + ((rows.head[row]! + index) & (rows.size[row]! - 1));

/** The k-th newest stamp, from 1; minus infinity where there are fewer. */
export const newest = (rows: StampRows, row: number, k: number): number => {
  const count = rows.count[row]!;
  return k > count ? Number.NEGATIVE_INFINITY : rows.arena[cell(rows, row, count - k)]!;
};

/** Forgets stamps at or before `upToUs`: an attempt is in the window while stamp > now - per (ALG-C2). */
export function prune(rows: StampRows, row: number, upToUs: number): void {
  let count = rows.count[row]!;
  while (count > 0 && rows.arena[cell(rows, row, 0)]! <= upToUs) {
    rows.head[row] = (rows.head[row]! + 1) & (rows.size[row]! - 1);
    rows.count[row] = --count;
    rows.held--;
  }
}

/** Drops the oldest until at most `most` are left: all that a bounded log may keep (ALG-C9). */
export function trim(rows: StampRows, row: number, most: number): void {
  const excess = rows.count[row]! - most;
  if (excess <= 0) return;
  rows.head[row] = (rows.head[row]! + excess) & (rows.size[row]! - 1);
  rows.count[row] = most;
  rows.held -= excess;
}

/** How many stamps are later than `afterUs`. The ring is sorted, so this halves its way. */
export function countAfter(rows: StampRows, row: number, afterUs: number): number {
  let low = 0;
  let high = rows.count[row]!;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (rows.arena[cell(rows, row, middle)]! > afterUs) high = middle;
    else low = middle + 1;
  }
  return rows.count[row]! - low;
}

/** Keeps the ring sorted: a gateway whose clock is behind inserts below what others have written. */
export function insert(rows: StampRows, row: number, stampUs: number): void {
  const count = rows.count[row]!;
  if (count === rows.size[row]!) grow(rows, row);
  let index = count;
  while (index > 0) {
    const before = rows.arena[cell(rows, row, index - 1)]!;
    if (before <= stampUs) break;
    rows.arena[cell(rows, row, index)] = before;
    index--;
  }
  rows.arena[cell(rows, row, index)] = stampUs;
  rows.count[row] = count + 1;
  rows.held++;
}

/** Takes out one stamp of exactly this time, if it is still there (LIM-C1: a log removes its own entry). */
export function remove(rows: StampRows, row: number, stampUs: number): void {
  const count = rows.count[row]!;
  let index = count - 1;
  while (index >= 0 && rows.arena[cell(rows, row, index)]! > stampUs) index--;
  if (index < 0 || rows.arena[cell(rows, row, index)]! !== stampUs) return;
  for (; index < count - 1; index++)
    rows.arena[cell(rows, row, index)] = rows.arena[cell(rows, row, index + 1)]!;
  rows.count[row] = count - 1;
  rows.held--;
}

/** Gives the row's block back; the row is as new. */
export function clear(rows: StampRows, row: number): void {
  rows.held -= rows.count[row]!;
  release(rows, rows.offset[row]!, rows.size[row]!);
  rows.size[row] = 0;
  rows.head[row] = 0;
  rows.count[row] = 0;
}

function grow(rows: StampRows, row: number): void {
  const size = rows.size[row]!;
  const offset = allocate(rows, size === 0 ? SMALLEST : size * 2);
  const count = rows.count[row]!;
  for (let index = 0; index < count; index++)
    rows.arena[offset + index] = rows.arena[cell(rows, row, index)]!;
  release(rows, rows.offset[row]!, size);
  rows.offset[row] = offset;
  rows.size[row] = size === 0 ? SMALLEST : size * 2;
  rows.head[row] = 0;
}

function allocate(rows: StampRows, size: number): number {
  const reused = rows.free[Math.log2(size)]?.pop();
  if (reused !== undefined) return reused;
  const offset = rows.top;
  rows.top += size;
  if (rows.top > rows.arena.length) {
    const larger = new Float64Array(
      Math.max(rows.top, rows.arena.length + (rows.arena.length >> 1)),
    );
    larger.set(rows.arena);
    rows.arena = larger;
  }
  return offset;
}

function release(rows: StampRows, offset: number, size: number): void {
  if (size > 0) (rows.free[Math.log2(size)] ??= []).push(offset);
}
