// What happens next, in virtual time. Events of one instant come out in the order in which they were
// put in, which no queue on the registry promises and which makes a run repeatable: a heap of four
// children in typed columns, ordered by time and then by number. What happens is a function and what it
// is about, so that nothing has to be made for it.

type Happening = (about: unknown) => void;

export interface EventQueue {
  timeUs: Float64Array;
  order: Float64Array;
  what: Happening[];
  about: unknown[];
  size: number;
  issued: number;
}

export const eventQueue = (): EventQueue => ({
  timeUs: new Float64Array(64),
  order: new Float64Array(64),
  what: [],
  about: [],
  size: 0,
  issued: 0,
});

export const nextTimeUs = (queue: EventQueue): number =>
  queue.size === 0 ? Number.POSITIVE_INFINITY : queue.timeUs[0]!;

/** Whether anything is left to happen up to an event of this time and place. */
export const isAnyUntil = (
  { size, timeUs, order }: EventQueue,
  atUs: number,
  place: number,
): boolean => size > 0 && !isBefore(atUs, place, timeUs[0]!, order[0]!);

/** A place among the events of an instant, for what may turn out not to happen. */
export const reserve = (queue: EventQueue): number => queue.issued++;

/** Puts in what happens to somebody or something; returns its place among those of its instant. */
export function schedule<About>(
  queue: EventQueue,
  atUs: number,
  what: (about: About) => void,
  about: About,
): number {
  const place = reserve(queue);
  scheduleAt(queue, atUs, place, what, about);
  return place;
}

/** The same at a place that was reserved. */
export function scheduleAt<About>(
  queue: EventQueue,
  atUs: number,
  place: number,
  happening: (about: About) => void,
  subject: About,
): void {
  if (queue.size === queue.timeUs.length) enlarge(queue);
  const { timeUs, order, what, about } = queue;
  let hole = queue.size++;
  while (hole > 0) {
    const parent = (hole - 1) >> 2;
    if (isBefore(timeUs[parent]!, order[parent]!, atUs, place)) break;
    timeUs[hole] = timeUs[parent]!;
    order[hole] = order[parent]!;
    what[hole] = what[parent]!;
    about[hole] = about[parent];
    hole = parent;
  }
  timeUs[hole] = atUs;
  order[hole] = place;
  what[hole] = happening as Happening;
  about[hole] = subject;
}

/** Takes the next event out and lets it happen; the caller moves its clock to `nextTimeUs` first. */
export function happenNext(queue: EventQueue): void {
  const { what, about } = queue;
  const first = what[0]!;
  const subject = about[0];
  takeFirst(queue);
  first(subject);
}

function takeFirst(queue: EventQueue): void {
  const { timeUs, order, what, about } = queue;
  const moved = what.pop()!;
  const itsSubject = about.pop();
  const last = --queue.size;
  if (last === 0) return;
  const atUs = timeUs[last]!;
  const number = order[last]!;
  let hole = 0;
  for (;;) {
    const child = earliestChild(timeUs, order, last, hole);
    if (child < 0 || !isBefore(timeUs[child]!, order[child]!, atUs, number)) break;
    timeUs[hole] = timeUs[child]!;
    order[hole] = order[child]!;
    what[hole] = what[child]!;
    about[hole] = about[child];
    hole = child;
  }
  timeUs[hole] = atUs;
  order[hole] = number;
  what[hole] = moved;
  about[hole] = itsSubject;
}

/** Of two queues whose events are numbered together: true where the next of all is in the first. */
export const comesFirst = (queue: EventQueue, other: EventQueue): boolean =>
  queue.size > 0 &&
  (other.size === 0 ||
    isBefore(queue.timeUs[0]!, queue.order[0]!, other.timeUs[0]!, other.order[0]!));

/** Moves everything that is still to come; its order stays. */
export function postpone({ timeUs, size }: EventQueue, byUs: number): void {
  for (let index = 0; index < size; index++) timeUs[index]! += byUs;
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
