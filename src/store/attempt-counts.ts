// How many attempts of a client are within the window before each request. A log that writes refused requests too decides by
// this number alone, whatever its limit is: one count serves each limit with the same window.
import {
  countOf,
  enlargeStampRows,
  insert,
  prune,
  stampRows,
} from "../algorithms/sliding-log/stamps.ts";
import type { NumberedRequests } from "../core/numbered-requests.ts";

export class AttemptCounts {
  readonly #perUs: number;
  readonly #stamps = stampRows();
  #rows = 1;
  #counts = new Int32Array(0);

  constructor(perUs: number) {
    this.#perUs = perUs;
  }

  /** Attempts that are held. */
  get size(): number {
    return this.#stamps.held;
  }

  /** Of requests that are later than those before. The array is used again. */
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
      let before = countOf(stamps, row); // of earlier calls
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
