// Leaky bucket (ALG-C10): one unit leaves each `per` / `rate`. A budget holds a debt, as in a token bucket: the
// admitted units that have not left, each times the microseconds of `per`, so that integer rates need no rounding. The
// time until the debt is paid is the time until the next free turn. A queue may be longer than a window, so the row
// also has the time at which its last request leaves. From then on the debt is 0, even if the rate has changed since.

export const QUEUE_WIDTH = 3;
const WIDTH = QUEUE_WIDTH; // not exported, because V8 inlines only constants of the same module
const DEBT = 0; // units times perUs
const WRITTEN = 1;
const EMPTY = 2; // from this time on the debt is 0

const MILLIONTHS = 1_000_000; // in 1, as in limit.ts
const HALF = 0.5 / MILLIONTHS;
const LAST_BITS = 2 ** -50;

/** The largest rounding error of a debt, if the rate has decimals. */
const slack = (cells: Float64Array, row: number, rate: number): number =>
  Number.isInteger(rate) ? HALF : Math.max(HALF, cells[row * WIDTH + DEBT]! * LAST_BITS);

const roundDebt = (debt: number, rate: number): number =>
  Number.isInteger(rate) ? debt : Math.round(debt * MILLIONTHS) / MILLIONTHS;

function debtAt(cells: Float64Array, row: number, rate: number, nowUs: number): number {
  const at = row * WIDTH;
  if (nowUs >= cells[at + EMPTY]!) return 0;
  const elapsed = nowUs - cells[at + WRITTEN]!;
  return elapsed > 0 ? Math.max(0, cells[at + DEBT]! - elapsed * rate) : cells[at + DEBT]!;
}

/** Microseconds until `excess` of the debt is paid. If the last write is after `nowUs`, paying starts at that write. */
function untilPaid(
  cells: Float64Array,
  row: number,
  rate: number,
  nowUs: number,
  excess: number,
): number {
  if (excess <= 0) return 0;
  const at = row * WIDTH;
  const paidUs = Math.max(nowUs, cells[at + WRITTEN]!) + Math.ceil(excess / rate);
  return Math.min(paidUs, cells[at + EMPTY]!) - nowUs;
}

/** Microseconds until one more unit gets a place. One of the `places` is for the unit that leaves next. */
export function wait(
  cells: Float64Array,
  row: number,
  rate: number,
  places: number,
  perUs: number,
  nowUs: number,
): number {
  if (places < 1) return Number.POSITIVE_INFINITY;
  const debt = debtAt(cells, row, rate, nowUs);
  const excess = debt - (places - 1) * perUs - slack(cells, row, rate);
  return untilPaid(cells, row, rate, nowUs, excess);
}

/** How long an admitted request waits for its turn; 0: it leaves at once. */
export const delay = (cells: Float64Array, row: number, rate: number, nowUs: number): number =>
  untilPaid(cells, row, rate, nowUs, debtAt(cells, row, rate, nowUs) - slack(cells, row, rate));

export function spend(
  cells: Float64Array,
  row: number,
  rate: number,
  perUs: number,
  nowUs: number,
  units: number,
): void {
  const at = row * WIDTH;
  cells[at + DEBT] = roundDebt(debtAt(cells, row, rate, nowUs) + units * perUs, rate);
  cells[at + WRITTEN] = Math.max(cells[at + WRITTEN]!, nowUs);
  const lastsUs = Math.ceil((cells[at + DEBT]! - slack(cells, row, rate)) / rate);
  cells[at + EMPTY] = cells[at + WRITTEN]! + lastsUs;
}

/** Refunds the turns of a request only if they are the last ones, because later requests keep their turns. */
export function giveBack(
  cells: Float64Array,
  row: number,
  perUs: number,
  takenUs: number,
  units: number,
): void {
  const at = row * WIDTH;
  if (cells[at + WRITTEN] === takenUs)
    cells[at + DEBT] = Math.max(0, cells[at + DEBT]! - units * perUs);
}

export function remaining(
  cells: Float64Array,
  row: number,
  rate: number,
  places: number,
  perUs: number,
  nowUs: number,
): number {
  const left = places * perUs - debtAt(cells, row, rate, nowUs);
  return Math.max(0, Math.floor((left + slack(cells, row, rate)) / perUs));
}

/** From this time on the row has no effect, so it may be dropped. */
export const emptyFromUs = (cells: Float64Array, row: number): number =>
  cells[row * WIDTH + EMPTY]!;

/** How long a full queue takes to empty. */
export const longestUs = (rate: number, places: number, perUs: number): number =>
  rate === 0 ? 0 : Math.ceil((places * perUs) / rate);
