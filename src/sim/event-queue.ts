// What happens next, in virtual time. Events of one instant come out in the order in which they were
// put in, which no queue on the registry promises and which makes a run repeatable: a heap of four
// children in typed columns, ordered by time and then by number.

export interface EventQueue {
  timeUs: Float64Array;
  order: Float64Array;
  what: (() => void)[];
  size: number;
  issued: number;
}

export const eventQueue = (): EventQueue => ({
  timeUs: new Float64Array(64),
  order: new Float64Array(64),
  what: [],
  size: 0,
  issued: 0,
});

export const nextTimeUs = (queue: EventQueue): number =>
  queue.size === 0 ? Number.POSITIVE_INFINITY : queue.timeUs[0]!;

export function schedule(queue: EventQueue, atUs: number, happening: () => void): void {
  if (queue.size === queue.timeUs.length) enlarge(queue);
  const { timeUs, order, what } = queue;
  let hole = queue.size++;
  const number = queue.issued++;
  while (hole > 0) {
    const parent = (hole - 1) >> 2;
    if (timeUs[parent]! <= atUs) break; // an equal parent is older
    timeUs[hole] = timeUs[parent]!;
    order[hole] = order[parent]!;
    what[hole] = what[parent]!;
    hole = parent;
  }
  timeUs[hole] = atUs;
  order[hole] = number;
  what[hole] = happening;
}

/** Takes the next event out and returns it; the caller moves its clock to `nextTimeUs` first. */
export function takeNext(queue: EventQueue): () => void {
  const { timeUs, order, what } = queue;
  const first = what[0]!;
  const moved = what.pop()!;
  const last = --queue.size;
  if (last === 0) return first;
  const atUs = timeUs[last]!;
  const number = order[last]!;
  let hole = 0;
  for (;;) {
    const child = earliestChild(timeUs, order, last, hole);
    if (child < 0 || !isBefore(timeUs[child]!, order[child]!, atUs, number)) break;
    timeUs[hole] = timeUs[child]!;
    order[hole] = order[child]!;
    what[hole] = what[child]!;
    hole = child;
  }
  timeUs[hole] = atUs;
  order[hole] = number;
  what[hole] = moved;
  return first;
}

function earliestChild(
  timeUs: Float64Array,
  order: Float64Array,
  size: number,
  parent: number,
): number {
  const from = parent * 4 + 1;
  if (from >= size) return -1;
  const to = Math.min(from + 4, size);
  let best = from;
  for (let child = from + 1; child < to; child++)
    if (isBefore(timeUs[child]!, order[child]!, timeUs[best]!, order[best]!)) best = child;
  return best;
}

const isBefore = (timeA: number, orderA: number, timeB: number, orderB: number): boolean =>
  timeA < timeB || (timeA === timeB && orderA < orderB);

function enlarge(queue: EventQueue): void {
  const larger = (column: Float64Array): Float64Array => {
    const next = new Float64Array(column.length * 2);
    next.set(column);
    return next;
  };
  queue.timeUs = larger(queue.timeUs);
  queue.order = larger(queue.order);
}
