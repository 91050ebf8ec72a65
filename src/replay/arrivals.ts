// Requests in the order of their arrival. A log has a line when a response leaves, so that lines are out of order by as
// much as requests last; several files overlap. A window in memory sorts them.
import { SECOND } from "../core/units.ts";

/** Requests in order, as columns. Only the first `count` rows count, and the arrays are used again. */
export interface Arrivals {
  readonly count: number;
  readonly atUs: Float64Array;
  readonly clients: Int32Array;
  readonly targets: Int32Array; // numbers of method and path; 0 if no candidate needs them
}

export const WINDOW_ROWS = 1 << 18;

export class ArrivalWindow {
  readonly #emit: (arrivals: Arrivals) => void;
  readonly #isWholeSeconds: boolean;
  #atUs: Float64Array;
  #clients: Int32Array;
  #targets: Int32Array;
  #count = 0;
  #emittedUs = Number.NEGATIVE_INFINITY;
  #lastUs = Number.NEGATIVE_INFINITY;
  #isSorted = true;

  /** `isWholeSeconds`: all requests of one second are emitted together, because their order is not known. */
  constructor(
    emit: (arrivals: Arrivals) => void,
    isWholeSeconds: boolean,
    rows: number = WINDOW_ROWS,
  ) {
    this.#emit = emit;
    this.#isWholeSeconds = isWholeSeconds;
    this.#atUs = new Float64Array(rows);
    this.#clients = new Int32Array(rows);
    this.#targets = new Int32Array(rows);
  }

  /** False: the request is so late that later ones have been emitted. */
  add(atUs: number, client: number, target: number): boolean {
    if (atUs < this.#emittedUs) return false;
    const at = this.#count++;
    this.#atUs[at] = atUs;
    this.#clients[at] = client;
    this.#targets[at] = target;
    if (atUs < this.#lastUs) this.#isSorted = false;
    this.#lastUs = atUs;
    if (this.#count === this.#atUs.length) this.#flushHalf();
    return true;
  }

  /** After the last request. */
  end(): void {
    this.#sort();
    this.#emitFirst(this.#count);
  }

  #flushHalf(): void {
    this.#sort();
    const times = this.#atUs;
    let count = times.length >> 1;
    if (this.#isWholeSeconds) {
      const second = (at: number): number => Math.floor(times[at]! / SECOND);
      while (count > 0 && second(count - 1) === second(count)) count--;
    }
    if (count > 0) {
      this.#emittedUs = times[count]!;
      this.#emitFirst(count);
    } else this.#enlarge();
  }

  #emitFirst(count: number): void {
    this.#emit({ count, atUs: this.#atUs, clients: this.#clients, targets: this.#targets });
    this.#atUs.copyWithin(0, count, this.#count);
    this.#clients.copyWithin(0, count, this.#count);
    this.#targets.copyWithin(0, count, this.#count);
    this.#count -= count;
  }

  /** One second has more requests than half of the window. */
  #enlarge(): void {
    const rows = 2 * this.#atUs.length;
    this.#atUs = enlargeColumn(this.#atUs, new Float64Array(rows));
    this.#clients = enlargeColumn(this.#clients, new Int32Array(rows));
    this.#targets = enlargeColumn(this.#targets, new Int32Array(rows));
  }

  #sort(): void {
    if (this.#isSorted) return;
    const count = this.#count;
    const order = orderOf(this.#atUs.subarray(0, count));
    const times = new Float64Array(this.#atUs.length);
    const clients = new Int32Array(times.length);
    const targets = new Int32Array(times.length);
    for (let i = 0; i < count; i++) {
      times[i] = this.#atUs[order[i]!]!;
      clients[i] = this.#clients[order[i]!]!;
      targets[i] = this.#targets[order[i]!]!;
    }
    this.#atUs = times;
    this.#clients = clients;
    this.#targets = targets;
    this.#isSorted = true;
    this.#lastUs = times[count - 1]!;
  }
}

/** Copies a column into a longer one. */
export function enlargeColumn<Column extends Int32Array | Float64Array>(
  column: Column,
  larger: Column,
): Column {
  larger.set(column);
  return larger;
}

/** The indexes in the order of the times; equal times keep their order. */
function orderOf(times: Float64Array): Uint32Array {
  let least = Number.POSITIVE_INFINITY;
  let most = Number.NEGATIVE_INFINITY;
  for (const time of times) {
    if (time < least) least = time;
    if (time > most) most = time;
  }
  const order = new Uint32Array(times.length);
  // Time and index fit into one exact number if the window is short: numbers are sorted without calling a function.
  if ((most - least + 1) * times.length <= Number.MAX_SAFE_INTEGER) {
    const keys = times.map((time, index) => (time - least) * times.length + index).toSorted();
    for (let i = 0; i < keys.length; i++) order[i] = keys[i]! % times.length;
    return order;
  }
  for (let i = 0; i < order.length; i++) order[i] = i;
  return order.toSorted((a, b) => times[a]! - times[b]! || a - b);
}
