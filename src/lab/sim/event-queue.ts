// The events of virtual time. Events at one instant leave the queue in the order in which they were added, so that runs
// are repeatable; no published library has this order. The next few events are in a sorted row, the others in a heap
// with four children per node, which most runs never need. If the heap is large, later events wait outside it, unsorted
// (far-events.ts). Only numbers are moved; the function of an event and its argument stay in their slot. One type of
// event occurs millions of times in a run: it is two numbers and needs no slot.
import {
  addFar,
  enlarge,
  farEvents,
  newRankedEvents,
  startFar,
  takeNext,
  type FarEvents,
  type RankedEvents,
} from "./far-events.ts";

type Happening = (about: unknown) => void;

export interface EventQueue {
  readonly row: RankedEvents; // sorted in reverse: its last event is next; all come before the heap
  readonly heap: RankedEvents;
  readonly far: FarEvents; // events after those of row and heap
  mostNear: number; // size of the heap above which most of its events become far
  readonly what: Happening[]; // function by slot
  readonly about: unknown[];
  readonly free: number[];
  issued: number;
  onNumbered: (subject: number, number: number) => void;
}

const IN_A_ROW = 32;

/** The least value of `mostNear`: as many events as a processor cache holds. */
const MOST_NEAR = 4096;

export const eventQueue = (): EventQueue => ({
  row: newRankedEvents(IN_A_ROW),
  heap: newRankedEvents(64),
  far: farEvents(),
  mostNear: MOST_NEAR,
  what: [],
  about: [],
  free: [],
  issued: 0,
  onNumbered: () => {
    throw new Error("a numbered event is due, but onNumbered is not set");
  },
});

export function nextTimeUs(queue: EventQueue): number {
  const { row, heap, far } = queue;
  if (row.size > 0) return row.timeUs[row.size - 1]!;
  if (heap.size === 0 && far.size > 0) approach(queue);
  return heap.size > 0 ? heap.timeUs[0]! : Number.POSITIVE_INFINITY;
}

/** The place of the next event among the events at its instant. */
const nextPlace = ({ row, heap }: EventQueue): number =>
  row.size > 0 ? row.place[row.size - 1]! : heap.place[0]!;

/** Whether an event remains whose time and place are not after these. */
export function isAnyUntil(queue: EventQueue, atUs: number, place: number): boolean {
  const nextUs = nextTimeUs(queue);
  return nextUs < atUs || (nextUs === atUs && nextPlace(queue) <= place);
}

/** Whether the next event of two queues, which number their events together, is in the first queue. */
export function comesFirst(queue: EventQueue, other: EventQueue): boolean {
  const nextUs = nextTimeUs(queue);
  const otherUs = nextTimeUs(other);
  return nextUs < otherUs || (nextUs === otherUs && nextPlace(queue) < nextPlace(other));
}

/** Delays all remaining events and keeps their order. */
export function postpone(queue: EventQueue, byUs: number): void {
  const { row, heap, far } = queue;
  while (far.size > 0) approach(queue);
  for (const { timeUs, size } of [row, heap]) for (let at = 0; at < size; at++) timeUs[at]! += byUs;
}

/** Reserves a place among the events at an instant, for an event that may not happen. */
export const reserve = (queue: EventQueue): number => queue.issued++;

/** Adds an event about a subject. Returns its place among the events at its instant. */
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

/** Adds an event at a reserved place. */
export function scheduleAt<About>(
  queue: EventQueue,
  atUs: number,
  place: number,
  what: (about: About) => void,
  about: About,
): void {
  const slot = queue.free.pop() ?? queue.what.length;
  queue.what[slot] = what as Happening;
  queue.about[slot] = about;
  add(queue, atUs, place, slot, IS_SLOT);
}

const IS_SLOT = 0;

/** Adds an event for `onNumbered`, with a number above 0. Returns its place among the events at its instant. */
export function scheduleNumbered(
  queue: EventQueue,
  atUs: number,
  subject: number,
  number: number,
): number {
  const place = reserve(queue);
  add(queue, atUs, place, subject, number);
  return place;
}

function add(
  queue: EventQueue,
  atUs: number,
  place: number,
  subject: number,
  number: number,
): void {
  const { row, heap, far } = queue;
  if (atUs >= far.endUs) {
    addFar(far, atUs, place, subject, number);
    return;
  }
  const isRowFull = row.size === IN_A_ROW;
  const isInHeap =
    (heap.size > 0 && !isAfter(heap, 0, atUs, place)) ||
    (isRowFull && !isAfter(row, 0, atUs, place));
  if (isInHeap) push(queue, atUs, place, subject, number);
  else {
    if (isRowFull) {
      push(queue, row.timeUs[0]!, row.place[0]!, row.subject[0]!, row.number[0]!);
      dropLatest(row);
    }
    insert(row, atUs, place, subject, number);
  }
}

/** Removes the next event and runs it. The caller moves its clock to `nextTimeUs` first. */
export function happenNext(queue: EventQueue): void {
  const { row, heap, far, what, about, free } = queue;
  let from = row;
  let at = row.size - 1;
  if (at < 0) {
    if (heap.size === 0 && far.size > 0) approach(queue);
    [from, at] = [heap, 0];
  }
  const subject = from.subject[at]!;
  const number = from.number[at]!;
  if (from === row) row.size--;
  else pop(heap);
  if (number !== IS_SLOT) {
    queue.onNumbered(subject, number);
    return;
  }
  const its = about[subject];
  about[subject] = undefined;
  free.push(subject);
  what[subject]!(its);
}

const isAfter = ({ timeUs, place }: RankedEvents, at: number, us: number, than: number): boolean =>
  timeUs[at]! > us || (timeUs[at] === us && place[at]! > than);

function put(
  events: RankedEvents,
  at: number,
  us: number,
  place: number,
  subject: number,
  number: number,
): void {
  events.timeUs[at] = us;
  events.place[at] = place;
  events.subject[at] = subject;
  events.number[at] = number;
}

const move = (all: RankedEvents, from: number, to: number): void =>
  put(all, to, all.timeUs[from]!, all.place[from]!, all.subject[from]!, all.number[from]!);

// ---------------------------------------------------------------- the row

function insert(
  row: RankedEvents,
  atUs: number,
  place: number,
  subject: number,
  number: number,
): void {
  let hole = row.size++;
  for (; hole > 0 && !isAfter(row, hole - 1, atUs, place); hole--) move(row, hole - 1, hole);
  put(row, hole, atUs, place, subject, number);
}

function dropLatest(row: RankedEvents): void {
  row.size--;
  for (let at = 0; at < row.size; at++) move(row, at + 1, at);
}

// ---------------------------------------------------------------- far events

/** Moves the next far events into the heap. */
function approach(queue: EventQueue): void {
  const events = takeNext(queue.far, MOST_NEAR / 16);
  const { timeUs, place, subject, number, size } = events;
  for (let at = 0; at < size; at++)
    insertInHeap(queue.heap, timeUs[at]!, place[at]!, subject[at]!, number[at]!);
  events.size = 0;
}

/** Moves most events of a large heap to the far events. */
function separate(queue: EventQueue): void {
  const { heap, far } = queue;
  startFar(far, heap, heap.timeUs[0]!);
  const nearAgain = Math.max(MOST_NEAR, far.size / 4);
  approach(queue);
  // Otherwise, if very many events at one instant have returned to the heap, each new event would separate it again.
  queue.mostNear = Math.max(nearAgain, heap.size * 2);
}

// ---------------------------------------------------------------- the heap

function push(
  queue: EventQueue,
  atUs: number,
  place: number,
  subject: number,
  number: number,
): void {
  insertInHeap(queue.heap, atUs, place, subject, number);
  if (queue.heap.size > queue.mostNear) separate(queue);
}

function insertInHeap(
  heap: RankedEvents,
  atUs: number,
  place: number,
  subject: number,
  number: number,
): void {
  if (heap.size === heap.timeUs.length) enlarge(heap);
  let hole = heap.size++;
  while (hole > 0) {
    const parent = (hole - 1) >> 2;
    if (!isAfter(heap, parent, atUs, place)) break;
    move(heap, parent, hole);
    hole = parent;
  }
  put(heap, hole, atUs, place, subject, number);
}

/** Removes the first event. */
function pop(heap: RankedEvents): void {
  const { timeUs, place, subject, number } = heap;
  const last = --heap.size;
  if (last === 0) return;
  const lastUs = timeUs[last]!;
  const lastPlace = place[last]!;
  let hole = 0;
  for (;;) {
    const child = earliestChild(heap, hole);
    if (child < 0 || isAfter(heap, child, lastUs, lastPlace)) break;
    move(heap, child, hole);
    hole = child;
  }
  put(heap, hole, lastUs, lastPlace, subject[last]!, number[last]!);
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
