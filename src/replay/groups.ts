// Requests of one block, those of a client together: each counter is then fetched from memory once for a block, and not
// once for each request.
import type { Arrivals } from "./arrivals.ts";

const MOST_GROUPS = 1 << 17;

export class RequestGroups {
  count = 0;
  /** The place of each request in the order of time. */
  order = new Int32Array(0);
  clients = new Int32Array(0);
  atUs = new Float64Array(0);
  readonly #starts = new Int32Array(MOST_GROUPS + 1);

  /** Requests of one client keep their order. Of very many clients, a few that are neighbours share a group. */
  group({ count, clients }: Arrivals, clientCount: number): void {
    if (this.order.length < count) {
      this.order = new Int32Array(count);
      this.clients = new Int32Array(count);
      this.atUs = new Float64Array(count);
    }
    this.count = count;
    let shift = 0;
    while (clientCount >> shift > MOST_GROUPS) shift++;
    const starts = this.#starts;
    starts.fill(0, 0, (clientCount >> shift) + 1);
    for (let i = 0; i < count; i++) starts[clients[i]! >> shift]!++;
    let start = 0;
    for (let group = 0; group <= clientCount >> shift; group++) {
      const size = starts[group]!;
      starts[group] = start;
      start += size;
    }
    const { order, clients: sorted } = this;
    for (let i = 0; i < count; i++) {
      const at = starts[clients[i]! >> shift]!++;
      order[at] = i;
      sorted[at] = clients[i]!;
    }
  }

  /** The times of the groups, from those in the order of time. */
  place(times: Float64Array): void {
    const { order, atUs } = this;
    for (let i = 0; i < this.count; i++) atUs[i] = times[order[i]!]!;
  }
}
