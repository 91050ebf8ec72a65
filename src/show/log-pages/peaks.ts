// How many requests each client sends in one window, for a page on which readers move a limit. A sliding log refuses a
// request if the window that ends with the request has more requests than the limit, refused ones included. A fixed
// window starts with a request, whatever the limit is. So one pass counts what both algorithms refuse at every limit.
import type { Micros } from "../../kit/units.ts";
import { enlargeColumn, type Arrivals } from "../../studies/replay/arrivals.ts";
import type { Placement } from "../../studies/replay/placements.ts";
import type { ClientColumns } from "../../studies/recommend/traffic.ts";
import type { PeaksFigure } from "../../lab/report/measured-figures.ts";

/** Every limit up to this number of requests is counted; above it, 32 limits per doubling and the limits of `rates`. */
const EACH_UNTIL = 1024;
const STEPS_A_DOUBLING = 32;
const MOST = 2 ** 31;

export function limitsCounted(wanted: readonly number[]): readonly number[] {
  const limits = new Set(wanted.map(Math.floor));
  for (let limit = 1; limit <= EACH_UNTIL; limit++) limits.add(limit);
  for (let step = 1; ; step++) {
    const limit = Math.round(EACH_UNTIL * 2 ** (step / STEPS_A_DOUBLING));
    if (limit > MOST) break;
    limits.add(limit);
  }
  return [...limits].toSorted((a, b) => a - b);
}

/** Counts of one algorithm: requests by their position in the window, and clients by their largest position. */
class Ranks {
  readonly requests: Float64Array; // indexed by the smallest limit that admits them
  readonly clients: Float64Array;
  #peaks = new Uint16Array(1024); // by client: the index of its largest position, plus 1; 0 without requests
  readonly #limits: readonly number[];

  constructor(limits: readonly number[]) {
    this.#limits = limits;
    this.requests = new Float64Array(limits.length);
    this.clients = new Float64Array(limits.length);
  }

  makeRoom(clients: number): void {
    if (clients > this.#peaks.length)
      this.#peaks = enlargeColumn(this.#peaks, new Uint16Array(Math.ceil(1.5 * clients)));
  }

  note(client: number, rank: number): void {
    const index = rank <= EACH_UNTIL ? rank - 1 : this.#indexOf(rank);
    this.requests[index]!++;
    const peak = this.#peaks[client]! - 1;
    if (index <= peak) return;
    if (peak >= 0) this.clients[peak]!--;
    this.clients[index]!++;
    this.#peaks[client] = index + 1;
  }

  #indexOf(rank: number): number {
    let low = EACH_UNTIL;
    let high = this.#limits.length - 1;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#limits[middle]! >= rank) high = middle;
      else low = middle + 1;
    }
    return low;
  }
}

/** The requests of all clients in the longest window, as a ring buffer that all windows of a placement share. */
class LastRequests {
  end = 0; // number of the next request
  #atUs = new Float64Array(1 << 12);
  #clients = new Int32Array(1 << 12);
  #units: Float64Array | null = null; // null if each request has one unit

  /** Allocates the units. Has to be called before the first `add`. */
  keepUnits(): void {
    this.#units ??= new Float64Array(this.#atUs.length);
  }

  /** Adds a request; it may overwrite requests with numbers below `first`. */
  add(client: number, atUs: number, units: number, first: number): void {
    if (this.end - first === this.#atUs.length) this.#enlarge();
    const at = this.end++ & (this.#atUs.length - 1);
    this.#atUs[at] = atUs;
    this.#clients[at] = client;
    if (this.#units !== null) this.#units[at] = units;
  }

  /** Subtracts requests up to a time from their clients' sums. Returns the number of the first later request. */
  expire(from: number, untilUs: number, sums: Float64Array): number {
    const mask = this.#atUs.length - 1;
    let next = from;
    while (next < this.end && this.#atUs[next & mask]! <= untilUs) {
      sums[this.#clients[next & mask]!]! -= this.#units?.[next & mask] ?? 1;
      next++;
    }
    return next;
  }

  #enlarge(): void {
    const size = 2 * this.#atUs.length;
    const start = this.end & (this.#atUs.length - 1); // index of the oldest request
    const moveInto = <Column extends Float64Array | Int32Array>(
      into: Column,
      from: Column,
    ): Column => {
      const at = (this.end - from.length) & (size - 1);
      for (let i = 0; i < from.length; i++)
        into[(at + i) & (size - 1)] = from[(start + i) & (from.length - 1)]!;
      return into;
    };
    this.#clients = moveInto(new Int32Array(size), this.#clients);
    if (this.#units !== null) this.#units = moveInto(new Float64Array(size), this.#units);
    this.#atUs = moveInto(new Float64Array(size), this.#atUs);
  }
}

/** Counts requests in the order of their times, under one placement. */
class WindowCounts {
  readonly log: Ranks;
  readonly window: Ranks;
  next = 0; // number of the first request in the current window
  readonly #perUs: number;
  readonly #last: LastRequests;
  #inLog = new Float64Array(1024); // units in the sliding window, by client
  #startUs = new Float64Array(1024).fill(Number.NEGATIVE_INFINITY);
  #inWindow = new Int32Array(1024);

  constructor(perUs: Micros, limits: readonly number[], last: LastRequests) {
    this.#perUs = perUs;
    this.#last = last;
    this.log = new Ranks(limits);
    this.window = new Ranks(limits);
  }

  makeRoom(clients: number): void {
    this.log.makeRoom(clients);
    this.window.makeRoom(clients);
    const before = this.#inLog.length;
    if (clients <= before) return;
    const size = Math.ceil(1.5 * clients);
    this.#inLog = enlargeColumn(this.#inLog, new Float64Array(size));
    this.#inWindow = enlargeColumn(this.#inWindow, new Int32Array(size));
    const starts = new Float64Array(size).fill(Number.NEGATIVE_INFINITY);
    this.#startUs = enlargeColumn(this.#startUs, starts);
  }

  /** Counts a request. Has to be called before the request is added to `#last`. */
  note(client: number, atUs: number, units: number): void {
    this.next = this.#last.expire(this.next, atUs - this.#perUs, this.#inLog);
    this.log.note(client, Math.max(1, (this.#inLog[client]! += units)));
    if (atUs >= this.#startUs[client]! + this.#perUs) {
      this.#startUs[client] = atUs;
      this.#inWindow[client] = 0;
    }
    this.window.note(client, ++this.#inWindow[client]!);
  }
}

export interface PeakWindow {
  readonly perUs: Micros;
  /** Limits that are counted exactly, whatever their size. */
  readonly rates: readonly number[];
}

/** Receives the requests of logs as a replay does, and counts them for each window under each placement. */
export class PeakCounts {
  requests = 0;
  readonly #placements: readonly Placement[];
  readonly #clientCount: () => number;
  readonly #windows: readonly {
    readonly window: PeakWindow;
    readonly limits: readonly number[];
    readonly counts: readonly WindowCounts[]; // one for each placement
  }[];
  readonly #last: readonly LastRequests[]; // one for each placement
  #times = new Float64Array(0);
  #hasUnits = false;

  constructor(
    windows: readonly PeakWindow[],
    placements: readonly Placement[],
    clientCount: () => number,
  ) {
    this.#placements = placements;
    this.#clientCount = clientCount;
    this.#last = placements.map(() => new LastRequests());
    this.#windows = windows.map((window) => {
      const limits = limitsCounted(window.rates);
      return {
        window,
        limits,
        counts: this.#last.map((last) => new WindowCounts(window.perUs, limits, last)),
      };
    });
  }

  decide(arrivals: Arrivals): void {
    const { count, clients, charges } = arrivals;
    if (count === 0) return;
    this.requests += count;
    if (charges !== undefined) this.#hasUnits = true;
    if (this.#times.length < count) this.#times = new Float64Array(count);
    const known = this.#clientCount();
    for (const [index, { place }] of this.#placements.entries()) {
      place(arrivals, this.#times);
      const last = this.#last[index]!;
      if (this.#hasUnits) last.keepUnits();
      const counts = this.#countsOf(index, known);
      for (let i = 0; i < count; i++)
        noteRequest(counts, last, clients[i]!, this.#times[i]!, charges?.units[i] ?? 1);
    }
  }

  end(): void {}

  /** Counts requests that are sorted by client, all under one placement. */
  decideColumns(placement: number, { starts, atUs }: ClientColumns): void {
    if (placement === 0) this.requests = atUs.length;
    const last = this.#last[placement]!;
    const counts = this.#countsOf(placement, starts.length - 1);
    for (let id = 0; id + 1 < starts.length; id++) {
      // Earlier requests are of other clients and have to be skipped: each client's times start anew.
      for (const each of counts) each.next = last.end;
      for (let at = starts[id]!; at < starts[id + 1]!; at++)
        noteRequest(counts, last, id, atUs[at]!, 1);
    }
  }

  #countsOf(placement: number, clients: number): readonly WindowCounts[] {
    const own = this.#windows.map(({ counts }) => counts[placement]!);
    for (const each of own) each.makeRoom(clients);
    return own;
  }

  /** One figure for each window. */
  figures(textOf: (perUs: Micros) => string): readonly PeaksFigure[] {
    return this.#windows.map(({ window, limits, counts }): PeaksFigure => {
      const first = counts[0]!.log;
      const last = Math.max(
        ...counts.flatMap(({ log, window: own }) => [lastOf(log.clients), lastOf(own.clients)]),
        ...window.rates.map((rate) => limits.indexOf(Math.floor(rate))),
      );
      const shown = Math.min(limits.length, last + 2);
      const per = textOf(window.perUs);
      const unit = this.#hasUnits ? "units" : "requests";
      const columnsOf = (of: (each: WindowCounts) => Ranks) => ({
        requestsAbove: counts.map((each) => above(of(each).requests, shown)),
        clientsAbove: counts.map((each) => above(of(each).clients, shown)),
      });
      return {
        kind: "peaks",
        title: `Clients by their most ${unit} in any window of ${per}`,
        unit,
        per,
        requests: this.requests,
        clients: first.clients.reduce((sum, each) => sum + each, 0),
        limits: limits.slice(0, shown),
        start: Math.floor(window.rates[0] ?? limits[last]!),
        rules: this.#hasUnits
          ? []
          : [
              { what: "sliding_log", ...columnsOf(({ log }) => log) },
              { what: "fixed_window", ...columnsOf((each) => each.window) },
            ],
        peaksAbove: above(first.clients, shown),
      };
    });
  }
}

function noteRequest(
  counts: readonly WindowCounts[],
  last: LastRequests,
  client: number,
  atUs: number,
  units: number,
): void {
  let first = last.end;
  for (const each of counts) {
    each.note(client, atUs, units);
    if (each.next < first) first = each.next;
  }
  last.add(client, atUs, units, first);
}

const lastOf = (counts: Float64Array): number => counts.findLastIndex((count) => count > 0);

/** For each limit, the sum of all counts above it. */
function above(counts: Float64Array, shown: number): readonly number[] {
  const sums: number[] = [];
  let sum = 0;
  for (let index = counts.length - 1; index >= 0; index--) {
    if (index < shown) sums[index] = sum;
    sum += counts[index]!;
  }
  return sums;
}
