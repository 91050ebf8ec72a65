// Counts the attempts of a client in the window before each request. A log that writes refused requests and a fixed
// window decide by this number alone, whatever the limit is. So limits with the same window share one count.
import { countAll, enlargeCounters } from "../algorithms/fixed-window/rule.ts";
import {
  countOf,
  enlargeStampRows,
  insert,
  prune,
  stampRows,
} from "../algorithms/sliding-log/stamps.ts";
import type { NumberedRequests } from "../core/numbered-requests.ts";

/** `sliding`: the window ends with the request. Other windows begin with a request or at a multiple of their length. */
export type AttemptWindow = "sliding" | "from a request" | "from the clock";

/** Counts the attempts before each request. Requests are passed in the order of their times, in one or more calls. */
export interface AttemptCounter {
  /** The next call overwrites the returned array. */
  readonly count: (requests: NumberedRequests, clientCount: number) => Int32Array;
}

export const attemptCounter = (window: AttemptWindow, perUs: number): AttemptCounter =>
  window === "sliding"
    ? new AttemptCounts(perUs)
    : new WindowCounts(perUs, window === "from the clock");

class WindowCounts implements AttemptCounter {
  readonly #window: { readonly perUs: number; readonly startsAtClock: boolean };
  #cells = new Float64Array(0);
  #rows = 0;
  #counts = new Int32Array(0);

  constructor(perUs: number, startsAtClock: boolean) {
    this.#window = { perUs, startsAtClock };
  }

  count(requests: NumberedRequests, clientCount: number): Int32Array {
    if (clientCount > this.#rows) {
      this.#rows = Math.max(clientCount, Math.ceil(1.25 * this.#rows));
      this.#cells = enlargeCounters(this.#cells, this.#rows) as Float64Array<ArrayBuffer>;
    }
    if (this.#counts.length < requests.count) this.#counts = new Int32Array(requests.count);
    countAll(this.#cells, this.#window, requests, this.#counts);
    return this.#counts;
  }
}

export class AttemptCounts implements AttemptCounter {
  readonly #perUs: number;
  readonly #stamps = stampRows();
  #rows = 1;
  #counts = new Int32Array(0);

  constructor(perUs: number) {
    this.#perUs = perUs;
  }

  /** The number of timestamps in memory. */
  get size(): number {
    return this.#stamps.held;
  }

  count({ count, clients, atUs }: NumberedRequests, clientCount: number): Int32Array {
    if (clientCount > this.#rows) {
      this.#rows = Math.max(clientCount, Math.ceil(1.5 * this.#rows));
      enlargeStampRows(this.#stamps, this.#rows);
    }
    if (this.#counts.length < count) this.#counts = new Int32Array(count);
    const counts = this.#counts;
    const stamps = this.#stamps;
    const perUs = this.#perUs;
    for (let i = 0; i < count;) {
      const row = clients[i]!;
      let before = countOf(stamps, row); // attempts of earlier calls
      let oldest = i;
      do {
        const edgeUs = atUs[i]! - perUs;
        if (before > 0) {
          prune(stamps, row, edgeUs);
          before = countOf(stamps, row);
        }
        while (atUs[oldest]! <= edgeUs) oldest++;
        counts[i] = before + i - oldest;
        i++;
      } while (i < count && clients[i] === row);
      for (; oldest < i; oldest++) insert(stamps, row, atUs[oldest]!, 1);
    }
    return counts;
  }
}
