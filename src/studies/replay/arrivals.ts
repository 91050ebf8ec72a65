// Sorts requests by arrival, within a window of requests in memory. Servers write a request's line when its response
// leaves, so lines are out of order by up to the duration of a request; and several files overlap.
import { SECOND } from "../../kit/units.ts";

/** Requests in order of time, as columns: only the first `count` rows are valid, and the arrays are reused. */
export interface Arrivals {
  readonly count: number;
  readonly atUs: Float64Array;
  readonly clients: Int32Array;
  readonly targets: Int32Array; // numbers of method and path; 0 if no candidate needs them
  readonly charges?: ChargeColumns; // left out: each request costs 1
}

interface ChargeColumns {
  readonly units: Float64Array;
  readonly lastsUs: Float64Array; // how long the request lasts; 0 if the log has no duration for it
}

export const WINDOW_ROWS = 1 << 21;
const FIRST_ROWS = 1 << 12;

/** The columns of the window, which are sorted and moved together. */
interface WindowColumns {
  atUs: Float64Array;
  clients: Int32Array;
  targets: Int32Array;
  units: Float64Array;
  lastsUs: Float64Array;
}

/** Receives requests in the order in which they are read. */
export interface RequestSink {
  /** Returns false if the request is too late to be sorted. */
  readonly add: (
    atUs: number,
    client: number,
    target: number,
    units: number,
    lastsUs: number,
  ) => boolean;
}

export class ArrivalWindow implements RequestSink {
  readonly #emit: (arrivals: Arrivals) => void;
  readonly #isWholeSeconds: boolean;
  readonly #hasCharges: boolean;
  readonly #most: number;
  #columns: WindowColumns;
  #count = 0;
  #emittedUs = Number.NEGATIVE_INFINITY;
  #lastUs = Number.NEGATIVE_INFINITY;
  #isSorted = true;

  /**
   * `isWholeSeconds`: all requests of one second are emitted together, because their order is not known. `hasCharges`:
   * requests have costs.
   */
  constructor(
    emit: (arrivals: Arrivals) => void,
    isWholeSeconds: boolean,
    rows: number = WINDOW_ROWS,
    hasCharges: boolean = false,
  ) {
    this.#emit = emit;
    this.#isWholeSeconds = isWholeSeconds;
    this.#hasCharges = hasCharges;
    this.#most = rows;
    this.#columns = this.#newColumns(Math.min(rows, FIRST_ROWS));
  }

  /** Returns false for a request that is earlier than requests that were already emitted. */
  add(atUs: number, client: number, target: number, units: number = 1, lastsUs = 0): boolean {
    if (atUs < this.#emittedUs) return false;
    const columns = this.#columns;
    const at = this.#count++;
    columns.atUs[at] = atUs;
    columns.clients[at] = client;
    columns.targets[at] = target;
    if (this.#hasCharges) {
      columns.units[at] = units;
      columns.lastsUs[at] = lastsUs;
    }
    if (atUs < this.#lastUs) this.#isSorted = false;
    this.#lastUs = atUs;
    if (this.#count === columns.atUs.length) this.#makeRoom();
    return true;
  }

  /** Emits the rest. Call after the last request. */
  end(): void {
    let isHalved = true;
    while (isHalved && 2 * this.#count > this.#most) isHalved = this.#emitHalf(); // blocks stay within half a window
    this.#sort();
    this.#emitFirst(this.#count);
  }

  #newColumns(rows: number): WindowColumns {
    const ofCharges = this.#hasCharges ? rows : 0;
    return {
      atUs: new Float64Array(rows),
      clients: new Int32Array(rows),
      targets: new Int32Array(rows),
      units: new Float64Array(ofCharges),
      lastsUs: new Float64Array(ofCharges),
    };
  }

  #makeRoom(): void {
    if (this.#count < this.#most || !this.#emitHalf()) this.#enlarge();
  }

  /** Emits the earlier half of the window. Returns false if one second has more requests than that half. */
  #emitHalf(): boolean {
    this.#sort();
    const times = this.#columns.atUs;
    let count = this.#count >> 1;
    if (this.#isWholeSeconds) {
      const second = (at: number): number => Math.floor(times[at]! / SECOND);
      while (count > 0 && second(count - 1) === second(count)) count--;
    }
    if (count === 0) return false;
    this.#emittedUs = times[count]!;
    this.#emitFirst(count);
    return true;
  }

  #emitFirst(count: number): void {
    const { atUs, clients, targets, units, lastsUs } = this.#columns;
    const charges = this.#hasCharges ? { charges: { units, lastsUs } } : {};
    this.#emit({ count, atUs, clients, targets, ...charges });
    for (const column of Object.values(this.#columns)) column.copyWithin(0, count, this.#count);
    this.#count -= count;
  }

  #enlarge(): void {
    const before = this.#columns;
    this.#columns = this.#newColumns(2 * before.atUs.length);
    for (const name of COLUMN_NAMES) this.#columns[name].set(before[name]);
  }

  #sort(): void {
    if (this.#isSorted) return;
    const count = this.#count;
    const before = this.#columns;
    const order = orderOf(before.atUs.subarray(0, count));
    this.#columns = this.#newColumns(before.atUs.length);
    for (const name of COLUMN_NAMES) permute(before[name], order, this.#columns[name]);
    this.#isSorted = true;
    this.#lastUs = this.#columns.atUs[count - 1]!;
  }
}

const COLUMN_NAMES = ["atUs", "clients", "targets", "units", "lastsUs"] as const;

function permute(
  from: Int32Array | Float64Array,
  order: Uint32Array,
  into: Int32Array | Float64Array,
): void {
  if (into.length === 0) return;
  for (let i = 0; i < order.length; i++) into[i] = from[order[i]!]!;
}

/** Copies a column into a longer one. */
export function enlargeColumn<Column extends Float64Array | Int32Array | Uint16Array>(
  column: Column,
  larger: Column,
): Column {
  larger.set(column);
  return larger;
}

/** The indexes sorted by their times; equal times keep their order. */
function orderOf(times: Float64Array): Uint32Array {
  let least = Number.POSITIVE_INFINITY;
  let most = Number.NEGATIVE_INFINITY;
  for (const time of times) {
    if (time < least) least = time;
    if (time > most) most = time;
  }
  const order = new Uint32Array(times.length);
  // In a short window, time and index fit into one exact number, and numbers sort without a comparing function.
  if ((most - least + 1) * times.length <= Number.MAX_SAFE_INTEGER) {
    const keys = times.map((time, index) => (time - least) * times.length + index).toSorted();
    for (let i = 0; i < keys.length; i++) order[i] = keys[i]! % times.length;
    return order;
  }
  for (let i = 0; i < order.length; i++) order[i] = i;
  return order.toSorted((a, b) => times[a]! - times[b]! || a - b);
}
