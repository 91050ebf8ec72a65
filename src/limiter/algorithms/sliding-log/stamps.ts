// The timestamps of many logs in one array, the arena. Each log is a ring in a block of the arena, and moves to a block
// of twice the size when its block is full. So a request costs constant time on average, and an idle log a few bytes.
// Sizes of blocks are powers of two; a log that needs a block of some size reuses a released one.

export interface StampRows {
  arena: Float64Array;
  rings: Uint32Array; // block, oldest index and count of each row
  ends: Float64Array; // oldest and newest timestamp of each row, in the memory of `rings`: one fetch reads both
  top: number; // the first cell of the arena that no block has used
  held: number; // timestamps in all rows
  readonly free: number[][]; // offsets of released blocks, by log2 of their size
}

const WIDTH = 8;
const OFFSET = 0; // where the row's block begins in the arena
const SIZE = 1; // of the block; 0: the row has no block
const HEAD = 2; // index of the oldest timestamp in the block
const COUNT = 3;

// In an empty row the oldest is infinity, and the newest is minus infinity.
const ENDS_WIDTH = WIDTH / 2;
const OLDEST = 2;
const NEWEST = 3;

const SMALLEST = 2;

export const stampRows = (): StampRows => ({
  arena: new Float64Array(SMALLEST),
  ...ringsFor(1, null),
  top: 0,
  held: 0,
  free: [],
});

function ringsFor(capacity: number, before: StampRows | null): Pick<StampRows, "rings" | "ends"> {
  const rings = new Uint32Array(capacity * WIDTH);
  const ends = new Float64Array(rings.buffer);
  if (before !== null) rings.set(before.rings);
  const known = before === null ? 0 : before.rings.length / WIDTH;
  for (let row = known; row < capacity; row++) setEnds(ends, row, Infinity, -Infinity);
  return { rings, ends };
}

function setEnds(ends: Float64Array, row: number, oldest: number, newest: number): void {
  ends[row * ENDS_WIDTH + OLDEST] = oldest;
  ends[row * ENDS_WIDTH + NEWEST] = newest;
}

export function enlargeStampRows(rows: StampRows, capacity: number): void {
  Object.assign(rows, ringsFor(capacity, rows));
}

export const countOf = (rows: StampRows, row: number): number => rows.rings[row * WIDTH + COUNT]!;

const cell = ({ rings }: StampRows, at: number, index: number): number =>
  rings[at + OFFSET]! + ((rings[at + HEAD]! + index) & (rings[at + SIZE]! - 1));

/** The k-th newest timestamp, counted from 1; minus infinity if the row has fewer. */
export function newest(rows: StampRows, row: number, k: number): number {
  if (k === 1) return rows.ends[row * ENDS_WIDTH + NEWEST]!;
  const at = row * WIDTH;
  const count = rows.rings[at + COUNT]!;
  return k > count ? Number.NEGATIVE_INFINITY : rows.arena[cell(rows, at, count - k)]!;
}

/** Removes timestamps at or before `upToUs`: an attempt is in the window while timestamp > now - per (ALG-C2). */
export function prune(rows: StampRows, row: number, upToUs: number): void {
  if (rows.ends[row * ENDS_WIDTH + OLDEST]! > upToUs) return;
  const at = row * WIDTH;
  const { rings } = rows;
  const before = rings[at + COUNT]!;
  let count = before;
  while (count > 0 && rows.arena[cell(rows, at, 0)]! <= upToUs) {
    rings[at + HEAD] = (rings[at + HEAD]! + 1) & (rings[at + SIZE]! - 1);
    count--;
  }
  rings[at + COUNT] = count;
  rows.held -= before - count;
  lookAtOldest(rows, row);
}

/** Updates the oldest timestamp of a row after a removal; if the row is now empty, the newest too. */
function lookAtOldest(rows: StampRows, row: number): void {
  const at = row * WIDTH;
  if (rows.rings[at + COUNT] === 0) setEnds(rows.ends, row, Infinity, -Infinity);
  else rows.ends[row * ENDS_WIDTH + OLDEST] = rows.arena[cell(rows, at, 0)]!;
}

/** Drops the oldest timestamps until at most `most` are left, because a bounded log retains no more (ALG-C9). */
export function trim(rows: StampRows, row: number, most: number): void {
  const at = row * WIDTH;
  const { rings } = rows;
  const excess = rings[at + COUNT]! - most;
  if (excess <= 0) return;
  rings[at + HEAD] = (rings[at + HEAD]! + excess) & (rings[at + SIZE]! - 1);
  rings[at + COUNT] = most;
  rows.held -= excess;
  lookAtOldest(rows, row);
}

/** How many timestamps are later than `afterUs`, by binary search in the sorted ring. */
export function countAfter(rows: StampRows, row: number, afterUs: number): number {
  const at = row * WIDTH;
  const count = rows.rings[at + COUNT]!;
  let low = 0;
  let high = count;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (rows.arena[cell(rows, at, middle)]! > afterUs) high = middle;
    else low = middle + 1;
  }
  return count - low;
}

/** Inserts the timestamp once for each unit of the attempt. */
export function insert(rows: StampRows, row: number, stampUs: number, units: number): void {
  for (let unit = 0; unit < units; unit++) insertOne(rows, row, stampUs);
}

/** Inserts a timestamp in order. A gateway whose clock is behind inserts before timestamps of other gateways. */
function insertOne(rows: StampRows, row: number, stampUs: number): void {
  const at = row * WIDTH;
  const count = rows.rings[at + COUNT]!;
  if (count === rows.rings[at + SIZE]!) grow(rows, at);
  rows.rings[at + COUNT] = count + 1;
  rows.held++;
  const ends = row * ENDS_WIDTH;
  if (stampUs >= rows.ends[ends + NEWEST]!) {
    rows.arena[cell(rows, at, count)] = stampUs;
    rows.ends[ends + NEWEST] = stampUs;
    if (count === 0) rows.ends[ends + OLDEST] = stampUs;
    return;
  }
  let index = count;
  while (index > 0) {
    const before = rows.arena[cell(rows, at, index - 1)]!;
    if (before <= stampUs) break;
    rows.arena[cell(rows, at, index)] = before;
    index--;
  }
  rows.arena[cell(rows, at, index)] = stampUs;
  if (index === 0) rows.ends[ends + OLDEST] = stampUs;
}

/** Removes the timestamps of one attempt, all of exactly this time, as far as they are still in the log (LIM-C1). */
export function remove(rows: StampRows, row: number, stampUs: number, units: number): void {
  let left = units;
  while (left > 0 && removeOne(rows, row, stampUs)) left--;
}

function removeOne(rows: StampRows, row: number, stampUs: number): boolean {
  const at = row * WIDTH;
  const count = rows.rings[at + COUNT]!;
  let index = count - 1;
  while (index > 0 && rows.arena[cell(rows, at, index)]! > stampUs) index--;
  if (index < 0 || rows.arena[cell(rows, at, index)]! !== stampUs) return false;
  for (; index < count - 1; index++) {
    rows.arena[cell(rows, at, index)] = rows.arena[cell(rows, at, index + 1)]!;
  }
  rows.rings[at + COUNT] = count - 1;
  rows.held--;
  rows.ends[row * ENDS_WIDTH + NEWEST] = rows.arena[cell(rows, at, count - 2)]!;
  lookAtOldest(rows, row);
  return true;
}

/** Releases the row's block and resets the row to its first state. */
export function clear(rows: StampRows, row: number): void {
  const at = row * WIDTH;
  rows.held -= rows.rings[at + COUNT]!;
  release(rows, rows.rings[at + OFFSET]!, rows.rings[at + SIZE]!);
  rows.rings.fill(0, at, at + WIDTH);
  setEnds(rows.ends, row, Infinity, -Infinity);
}

function grow(rows: StampRows, at: number): void {
  const { rings } = rows;
  const size = rings[at + SIZE]!;
  const offset = allocate(rows, size === 0 ? SMALLEST : size * 2);
  const count = rings[at + COUNT]!;
  for (let index = 0; index < count; index++)
    rows.arena[offset + index] = rows.arena[cell(rows, at, index)]!;
  release(rows, rings[at + OFFSET]!, size);
  rings[at + OFFSET] = offset;
  rings[at + SIZE] = size === 0 ? SMALLEST : size * 2;
  rings[at + HEAD] = 0;
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
