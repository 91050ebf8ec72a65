// The events of virtual time. Events of one instant leave the queue in the order in which they were added, which no
// queue on the registry promises and which makes a run repeatable. The next few events are in a sorted row, the others
// in a heap of four children: most runs have so few pending events that they never need the heap. Only numbers are
// moved; the function of an event and its argument stay in their slot.

type Happening = (about: unknown) => void;

/** Events by their time and place, as columns. */
interface RankedEvents {
  timeUs: Float64Array;
  place: Float64Array;
  slot: Uint32Array;
  size: number;
}

export interface EventQueue {
  readonly row: RankedEvents; // the last of it comes next, and all of it before the heap
  readonly heap: RankedEvents;
  readonly what: Happening[]; // by slot, as the next
  readonly about: unknown[];
  readonly free: number[];
  issued: number;
}

const IN_A_ROW = 32;

const newRankedEvents = (capacity: number): RankedEvents => ({
  timeUs: new Float64Array(capacity),
  place: new Float64Array(capacity),
  slot: new Uint32Array(capacity),
  size: 0,
});

export const eventQueue = (): EventQueue => ({
  row: newRankedEvents(IN_A_ROW),
  heap: newRankedEvents(64),
  what: [],
  about: [],
  free: [],
  issued: 0,
});

export function nextTimeUs({ row, heap }: EventQueue): number {
  if (row.size > 0) return row.timeUs[row.size - 1]!;
  return heap.size > 0 ? heap.timeUs[0]! : Number.POSITIVE_INFINITY;
}

/** Its place among the events of its instant. */
const nextPlace = ({ row, heap }: EventQueue): number =>
  row.size > 0 ? row.place[row.size - 1]! : heap.place[0]!;

/** Whether anything is left to happen up to an event of this time and place. */
export function isAnyUntil(queue: EventQueue, atUs: number, place: number): boolean {
  const nextUs = nextTimeUs(queue);
  return nextUs < atUs || (nextUs === atUs && nextPlace(queue) <= place);
}

/** Of two queues whose events are numbered together: true where the next of all is in the first. */
export function comesFirst(queue: EventQueue, other: EventQueue): boolean {
  const nextUs = nextTimeUs(queue);
  const otherUs = nextTimeUs(other);
  return nextUs < otherUs || (nextUs === otherUs && nextPlace(queue) < nextPlace(other));
}

/** Moves everything that is still to come; its order stays. */
export function postpone({ row, heap }: EventQueue, byUs: number): void {
  for (const { timeUs, size } of [row, heap]) for (let at = 0; at < size; at++) timeUs[at]! += byUs;
}

/** A place among the events of an instant, for what may turn out not to happen. */
export const reserve = (queue: EventQueue): number => queue.issued++;

/** Adds an event about a subject; returns its place among the events of its instant. */
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
  what: (about: About) => void,
  about: About,
): void {
  const { row, heap } = queue;
  const slot = queue.free.pop() ?? queue.what.length;
  queue.what[slot] = what as Happening;
  queue.about[slot] = about;
  if (heap.size > 0 && !isAfter(heap, 0, atUs, place)) {
    push(heap, atUs, place, slot);
    return;
  }
  if (row.size === IN_A_ROW) {
    if (!isAfter(row, 0, atUs, place)) {
      push(heap, atUs, place, slot);
      return;
    }
    push(heap, row.timeUs[0]!, row.place[0]!, row.slot[0]!);
    dropLatest(row);
  }
  insert(row, atUs, place, slot);
}

/** Takes the next event out and lets it happen; the caller moves its clock to `nextTimeUs` first. */
export function happenNext(queue: EventQueue): void {
  const { row, heap, what, about, free } = queue;
  const slot = row.size > 0 ? row.slot[--row.size]! : pop(heap);
  const subject = about[slot];
  about[slot] = undefined;
  free.push(slot);
  what[slot]!(subject);
}

const isAfter = ({ timeUs, place }: RankedEvents, at: number, us: number, than: number): boolean =>
  timeUs[at]! > us || (timeUs[at] === us && place[at]! > than);

function put(
  { timeUs, place, slot }: RankedEvents,
  at: number,
  us: number,
  itsPlace: number,
  its: number,
): void {
  timeUs[at] = us;
  place[at] = itsPlace;
  slot[at] = its;
}

const move = (all: RankedEvents, from: number, to: number): void =>
  put(all, to, all.timeUs[from]!, all.place[from]!, all.slot[from]!);

// ---------------------------------------------------------------- the row

function insert(row: RankedEvents, atUs: number, place: number, slot: number): void {
  let hole = row.size++;
  for (; hole > 0 && !isAfter(row, hole - 1, atUs, place); hole--) move(row, hole - 1, hole);
  put(row, hole, atUs, place, slot);
}

function dropLatest(row: RankedEvents): void {
  row.size--;
  for (let at = 0; at < row.size; at++) move(row, at + 1, at);
}

// ---------------------------------------------------------------- the heap

function push(heap: RankedEvents, atUs: number, place: number, slot: number): void {
  if (heap.size === heap.timeUs.length) enlarge(heap);
  let hole = heap.size++;
  while (hole > 0) {
    const parent = (hole - 1) >> 2;
    if (!isAfter(heap, parent, atUs, place)) break;
    move(heap, parent, hole);
    hole = parent;
  }
  put(heap, hole, atUs, place, slot);
}

function pop(heap: RankedEvents): number {
  const { timeUs, place, slot } = heap;
  const first = slot[0]!;
  const last = --heap.size;
  if (last === 0) return first;
  const lastUs = timeUs[last]!;
  const lastPlace = place[last]!;
  let hole = 0;
  for (;;) {
    const child = earliestChild(heap, hole);
    if (child < 0 || isAfter(heap, child, lastUs, lastPlace)) break;
    move(heap, child, hole);
    hole = child;
  }
  put(heap, hole, lastUs, lastPlace, slot[last]!);
  return first;
}

function earliestChild(heap: RankedEvents, parent: number): number {
  const { timeUs, place, size } = heap;
  const from = parent * 4 + 1;
  if (from >= size) return -1;
  const to = Math.min(from + 4, size);
  let best = from;
  for (let child = from + 1; child < to; child++)
    if (isAfter(heap, best, timeUs[child]!, place[child]!)) best = child;
  return best;
}

function enlarge(heap: RankedEvents): void {
  const larger = newRankedEvents(heap.size * 2);
  larger.timeUs.set(heap.timeUs);
  larger.place.set(heap.place);
  larger.slot.set(heap.slot);
  heap.timeUs = larger.timeUs;
  heap.place = larger.place;
  heap.slot = larger.slot;
}
