// Far events of a queue. They need no order until their time is near, so they wait in groups. The group of an event is
// the highest bit in which its time differs from a start time. Adding an event and taking the next ones take little
// time, however many events wait.

/** Events by their time and place, as columns. */
export interface RankedEvents {
  timeUs: Float64Array;
  place: Float64Array;
  subject: Uint32Array;
  number: Uint32Array;
  size: number;
}

export interface FarEvents {
  startUs: number; // no far event is earlier
  endUs: number; // end of the near times: all later events are far. Infinity without far events
  size: number;
  readonly groups: RankedEvents[]; // by the position of the highest bit that differs
}

/** The bits of a time are examined in two halves: `HALF_BITS` each, divided at 2 to the power of 32. */
const [HALF, HALF_BITS] = [2 ** 32, 32];
const GROUPS = 2 * HALF_BITS + 1;

const BYTES_OF_EVENT = 2 * Float64Array.BYTES_PER_ELEMENT + 2 * Uint32Array.BYTES_PER_ELEMENT;

/** Allocates one piece of memory, because most queues are short and allocation is slow. */
export function newRankedEvents(capacity: number): RankedEvents {
  const memory = new ArrayBuffer(capacity * BYTES_OF_EVENT);
  return {
    timeUs: new Float64Array(memory, 0, capacity),
    place: new Float64Array(memory, 8 * capacity, capacity),
    subject: new Uint32Array(memory, 16 * capacity, capacity),
    number: new Uint32Array(memory, 20 * capacity, capacity),
    size: 0,
  };
}

/** The initial value of each group. Most groups stay empty, so they get no memory yet. */
const NONE = newRankedEvents(0);

export const farEvents = (): FarEvents => ({
  startUs: 0,
  endUs: Number.POSITIVE_INFINITY,
  size: 0,
  groups: [],
});

export function enlarge(events: RankedEvents): void {
  const larger = newRankedEvents(events.size * 2);
  larger.timeUs.set(events.timeUs);
  larger.place.set(events.place);
  larger.subject.set(events.subject);
  larger.number.set(events.number);
  Object.assign(events, { ...larger, size: events.size });
}

/** Builds the groups again, from these events and from all far events, which are later. */
export function startFar(far: FarEvents, events: RankedEvents, firstUs: number): void {
  const waiting = far.groups.splice(0).filter(({ size }) => size > 0);
  far.size += events.size;
  for (let group = 0; group < GROUPS; group++) far.groups.push({ ...NONE });
  far.startUs = far.endUs = Math.floor(firstUs);
  for (const each of [events, ...waiting]) moveAll(far, each);
}

/** Adds an event that is not near. */
export function addFar(
  far: FarEvents,
  timeUs: number,
  place: number,
  subject: number,
  number: number,
): void {
  const events = far.groups[groupOf(timeUs, far.startUs)]!;
  if (events.size === events.timeUs.length) {
    if (events.size === 0) Object.assign(events, newRankedEvents(64));
    else enlarge(events);
  }
  const at = events.size++;
  events.timeUs[at] = timeUs;
  events.place[at] = place;
  events.subject[at] = subject;
  events.number[at] = number;
  far.size++;
}

/** Takes one to `most` of the next events, or more if they are at one instant. The caller empties the result. */
export function takeNext(far: FarEvents, most: number): RankedEvents {
  for (;;) {
    const group = far.groups.findIndex(({ size }) => size > 0);
    const events = far.groups[group]!;
    const width = group === 0 ? 1 : 2 ** (group - 1);
    // All times in this group share the start's higher bits, and have a one at the group's own bit.
    if (group > 0) far.startUs = Math.floor(far.startUs / width) * width + width;
    if (group === 0 || events.size <= most) {
      far.size -= events.size;
      far.endUs = far.size === 0 ? Number.POSITIVE_INFINITY : far.startUs + width;
      return events;
    }
    moveAll(far, events);
  }
}

/** Moves events into the groups that the present start assigns to them. */
function moveAll(far: FarEvents, events: RankedEvents): void {
  const { timeUs, place, subject, number, size } = events;
  far.size -= size;
  events.size = 0;
  for (let at = 0; at < size; at++) addFar(far, timeUs[at]!, place[at]!, subject[at]!, number[at]!);
}

function groupOf(timeUs: number, startUs: number): number {
  const high = Math.floor(timeUs / HALF) ^ Math.floor(startUs / HALF);
  if (high !== 0) return 2 * HALF_BITS - Math.clz32(high);
  return HALF_BITS - Math.clz32((timeUs >>> 0) ^ (startUs >>> 0));
}
