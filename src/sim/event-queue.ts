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

export function schedule(queue: EventQueue, atUs: number, what: () => void): void {
  if (queue.size === queue.timeUs.length) enlarge(queue);
  let hole = queue.size++;
  const order = queue.issued++;
  while (hole > 0) {
    const parent = (hole - 1) >> 2;
    if (queue.timeUs[parent]! <= atUs) break; // an equal parent is older
    move(queue, parent, hole);
    hole = parent;
  }
  put(queue, hole, atUs, order, what);
}

/** Takes the next event out and returns it; the caller moves its clock to `nextTimeUs` first. */
export function takeNext(queue: EventQueue): () => void {
  const first = queue.what[0]!;
  const last = --queue.size;
  const atUs = queue.timeUs[last]!;
  const order = queue.order[last]!;
  const what = queue.what[last]!;
  queue.what.length = last;
  if (last === 0) return first;
  let hole = 0;
  for (;;) {
    const child = earliestChild(queue, hole);
    if (child < 0 || !isBefore(queue.timeUs[child]!, queue.order[child]!, atUs, order)) break;
    move(queue, child, hole);
    hole = child;
  }
  put(queue, hole, atUs, order, what);
  return first;
}

function earliestChild(queue: EventQueue, parent: number): number {
  const from = parent * 4 + 1;
  if (from >= queue.size) return -1;
  const to = Math.min(from + 4, queue.size);
  let best = from;
  for (let child = from + 1; child < to; child++) {
    if (
      isBefore(queue.timeUs[child]!, queue.order[child]!, queue.timeUs[best]!, queue.order[best]!)
    )
      best = child;
  }
  return best;
}

const isBefore = (timeA: number, orderA: number, timeB: number, orderB: number): boolean =>
  timeA < timeB || (timeA === timeB && orderA < orderB);

function move(queue: EventQueue, from: number, to: number): void {
  put(queue, to, queue.timeUs[from]!, queue.order[from]!, queue.what[from]!);
}

function put(queue: EventQueue, at: number, timeUs: number, order: number, what: () => void): void {
  queue.timeUs[at] = timeUs;
  queue.order[at] = order;
  queue.what[at] = what;
}

function enlarge(queue: EventQueue): void {
  const larger = (column: Float64Array): Float64Array => {
    const next = new Float64Array(column.length * 2);
    next.set(column);
    return next;
  };
  queue.timeUs = larger(queue.timeUs);
  queue.order = larger(queue.order);
}
