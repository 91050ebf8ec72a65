// Sorts requests that are out of order by more than memory can sort: sorted runs in one temporary file are merged at
// the end. The file has numbers and no names of clients. It is deleted once it is open, so that nothing remains however
// the process ends.
import { randomUUID } from "node:crypto";
import { closeSync, openSync, readSync, unlinkSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { whyUnreadable } from "../../kit/reading/text-file.node.ts";
import type { RequestQuestion } from "./requests.ts";
import { ArrivalWindow, type Arrivals, type RequestSink, enlargeColumn } from "./arrivals.ts";
import type { NameTable } from "./names.ts";

/** The tables with the names of clients and targets. */
type RequestTables = Pick<RequestQuestion, "clients" | "targets">;

/** The temporary file cannot be created or written. */
export class SortingError extends Error {}

const CHUNK_ROWS = 1 << 14;
const ROWS_A_TURN = 1 << 16;

/** A part of a run in the file, one column after the other. */
interface StoredBlock {
  readonly start: number; // position in the file
  readonly count: number;
}

type Column = Float64Array | Int32Array;

const columnsOf = ({ atUs, clients, targets, charges }: Arrivals): readonly Column[] => [
  atUs,
  clients,
  targets,
  ...(charges === undefined ? [] : [charges.units, charges.lastsUs]),
];

/** Sorts requests into runs. A new run begins when a request is too late for the window of the current run. */
export class RequestRuns implements RequestSink {
  readonly #folder: string;
  readonly #rows: number;
  readonly #hasCharges: boolean;
  readonly #runs: StoredBlock[][] = [[]];
  #window: ArrivalWindow;
  readonly #clients = new FirstArrivals();
  readonly #targets = new FirstArrivals();
  #added = 0;
  #direct: RequestSink | null = null;
  #file = -1;
  #end = 0; // end of the file

  /** `rows`: the size of the window. */
  constructor(rows: number, hasCharges: boolean, folder: string = tmpdir()) {
    this.#folder = folder;
    this.#rows = rows;
    this.#hasCharges = hasCharges;
    this.#window = this.#newWindow();
  }

  get runs(): number {
    return this.#runs.length;
  }

  add(atUs: number, client: number, target: number, units: number, lastsUs: number): boolean {
    this.#clients.note(client, atUs, this.#added);
    this.#targets.note(target, atUs, this.#added++);
    if (this.#window.add(atUs, client, target, units, lastsUs)) return true;
    this.#window.end();
    this.#runs.push([]);
    this.#window = this.#newWindow();
    return this.#window.add(atUs, client, target, units, lastsUs);
  }

  /**
   * Sends all requests to `sink` by time; requests of one time in the order of `add`. Names are renumbered as if the
   * log were sorted.
   */
  async mergeInto(
    sink: RequestSink,
    names: RequestTables,
    isStopped: () => boolean,
  ): Promise<void> {
    if (this.#file < 0) {
      this.#direct = sink; // the window still has all requests
      this.#window.end();
      return;
    }
    this.#window.end();
    const clients = this.#clients.renumber(names.clients);
    const targets = names.targets === null ? null : this.#targets.renumber(names.targets);
    const numbered: RequestSink = {
      add: (atUs, client, target, units, lastsUs) =>
        sink.add(atUs, clients[client]!, targets?.[target] ?? target, units, lastsUs),
    };
    const heap: RunCursor[] = [];
    for (const [index, blocks] of this.#runs.entries()) {
      const cursor = new RunCursor(this.#file, index, blocks, this.#hasCharges);
      if (cursor.next()) heap.push(cursor);
    }
    heap.sort((a, b) => (isBefore(a, b) ? -1 : 1));
    for (let rows = 1; heap.length > 0; rows++) {
      const first = heap[0]!;
      first.addTo(numbered);
      if (!first.next()) {
        const last = heap.pop()!;
        if (heap.length > 0) heap[0] = last;
      }
      moveDown(heap);
      if (rows % ROWS_A_TURN !== 0) continue;
      await setImmediate(); // lets signals arrive
      if (isStopped()) return;
    }
  }

  close(): void {
    if (this.#file >= 0) closeSync(this.#file);
    this.#file = -1;
  }

  #newWindow(): ArrivalWindow {
    const write = (arrivals: Arrivals): void => this.#write(arrivals);
    return new ArrivalWindow(write, false, this.#rows, this.#hasCharges);
  }

  #write(arrivals: Arrivals): void {
    const { count } = arrivals;
    if (this.#direct !== null) addAll(arrivals, this.#direct);
    else if (count > 0) this.#store(arrivals);
  }

  #store(arrivals: Arrivals): void {
    const { count } = arrivals;
    try {
      if (this.#file < 0) this.#file = createFile(this.#folder);
      this.#runs.at(-1)!.push({ start: this.#end, count });
      for (const column of columnsOf(arrivals)) {
        const bytes = bytesOf(column.subarray(0, count));
        for (let from = 0; from < bytes.length;)
          from += writeSync(this.#file, bytes, from, bytes.length - from, this.#end + from);
        this.#end += bytes.length;
      }
    } catch (error) {
      throw new SortingError(
        `requests are out of order, and cannot be sorted in ${this.#folder}: ${whyUnreadable(error)}; name a folder with more room by TMPDIR, or sort the log by time`,
        { cause: error },
      );
    }
  }
}

function addAll({ count, atUs, clients, targets, charges }: Arrivals, sink: RequestSink): void {
  for (let at = 0; at < count; at++)
    sink.add(
      atUs[at]!,
      clients[at]!,
      targets[at]!,
      charges?.units[at] ?? 1,
      charges?.lastsUs[at] ?? 0,
    );
}

const bytesOf = ({ buffer, byteOffset, byteLength }: Column): Uint8Array =>
  new Uint8Array(buffer, byteOffset, byteLength);

/** Creates a file that only this process can open. */
function createFile(folder: string): number {
  const name = join(folder, `weir-${randomUUID()}`);
  const file = openSync(name, "wx+", 0o600);
  unlinkSync(name);
  return file;
}

/** A position in a run that is being read. */
class RunCursor {
  readonly index: number;
  readonly #file: number;
  readonly #blocks: readonly StoredBlock[];
  readonly #atUs = new Float64Array(CHUNK_ROWS);
  readonly #clients = new Int32Array(CHUNK_ROWS);
  readonly #targets = new Int32Array(CHUNK_ROWS);
  readonly #units: Float64Array;
  readonly #lastsUs: Float64Array;
  #block = 0;
  #from = 0; // row of the block that is read next
  #count = 0; // rows in memory
  #at = -1;

  constructor(file: number, index: number, blocks: readonly StoredBlock[], hasCharges: boolean) {
    this.index = index;
    this.#file = file;
    this.#blocks = blocks;
    this.#units = new Float64Array(hasCharges ? CHUNK_ROWS : 0);
    this.#lastsUs = new Float64Array(hasCharges ? CHUNK_ROWS : 0);
  }

  get atUs(): number {
    return this.#atUs[this.#at]!;
  }

  /** Goes to the next row. Returns false after the last one. */
  next(): boolean {
    return ++this.#at < this.#count || this.#readRows();
  }

  addTo(sink: RequestSink): void {
    const at = this.#at;
    sink.add(
      this.#atUs[at]!,
      this.#clients[at]!,
      this.#targets[at]!,
      this.#units[at] ?? 1,
      this.#lastsUs[at] ?? 0,
    );
  }

  #readRows(): boolean {
    const block = this.#blocks[this.#block];
    if (block === undefined) return false;
    const from = this.#from;
    const count = Math.min(CHUNK_ROWS, block.count - from);
    let start = block.start;
    for (const column of [this.#atUs, this.#clients, this.#targets, this.#units, this.#lastsUs]) {
      if (column.length === 0) continue;
      const size = column.BYTES_PER_ELEMENT;
      readSync(this.#file, bytesOf(column), 0, count * size, start + from * size);
      start += block.count * size;
    }
    this.#from += count;
    if (this.#from === block.count) {
      this.#block++;
      this.#from = 0;
    }
    this.#count = count;
    this.#at = 0;
    return true;
  }
}

const isBefore = (a: RunCursor, b: RunCursor): boolean =>
  a.atUs < b.atUs || (a.atUs === b.atUs && a.index < b.index);

/** Moves the first entry of a heap down to its place. */
function moveDown(heap: RunCursor[]): void {
  for (let at = 0; ;) {
    const left = 2 * at + 1;
    if (left >= heap.length) return;
    const right = left + 1;
    const least = right < heap.length && isBefore(heap[right]!, heap[left]!) ? right : left;
    if (!isBefore(heap[least]!, heap[at]!)) return;
    [heap[at], heap[least]] = [heap[least]!, heap[at]!];
    at = least;
  }
}

const FIRST_NAMES = 1024;

/**
 * Numbers names by first arrival, as in a sorted log. A log that is sorted on disk then has the same result to the last
 * digit, because ties and random draws depend on the numbers of clients.
 */
class FirstArrivals {
  #atUs = new Float64Array(FIRST_NAMES).fill(Number.MAX_VALUE);
  #places = new Float64Array(FIRST_NAMES);

  /** `place`: position of the line in the log, which decides between equal times. */
  note(id: number, atUs: number, place: number): void {
    const room = this.#atUs.length;
    if (id >= room) {
      const larger = new Float64Array(2 * id).fill(Number.MAX_VALUE);
      this.#atUs = enlargeColumn(this.#atUs, larger);
      this.#places = enlargeColumn(this.#places, new Float64Array(2 * id));
    }
    if (atUs >= this.#atUs[id]!) return;
    this.#atUs[id] = atUs;
    this.#places[id] = place;
  }

  /** Renumbers the names. Returns new numbers by old ones; names without an arrival come last. */
  renumber(names: NameTable): Int32Array {
    const at = (id: number): number => this.#atUs[id] ?? Number.MAX_VALUE;
    const place = (id: number): number => this.#places[id] ?? 0;
    const order = Int32Array.from({ length: names.count }, (_, id) => id);
    order.sort((a, b) => at(a) - at(b) || place(a) - place(b) || a - b);
    const numbers = new Int32Array(order.length);
    for (const [number, id] of order.entries()) numbers[id] = number;
    names.renumber(order);
    return numbers;
  }
}
