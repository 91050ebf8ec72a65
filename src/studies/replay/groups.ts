// Groups the requests of a block by client, so that each counter is fetched from memory once for a block and not once
// for each request.
import {
  attemptCounter,
  type AttemptCounter,
  type AttemptWindow,
} from "../../limiter/store/attempt-counts.ts";
import type { RequestBlock } from "../../limiter/store/numbered-runs.ts";
import type { Arrivals } from "./arrivals.ts";

const MOST_GROUPS = 1 << 17;

export class RequestGroups implements RequestBlock {
  count = 0;
  clientCount = 0;
  clients = new Int32Array(0);
  /** Times of the requests under the placement of the last call of `place`. */
  atUs = new Float64Array(0);
  /** The number of each request's step in time, from 0. */
  steps = new Int32Array(0);
  #shift = 0; // the bits by which the number of a client is shifted to give the number of its group
  readonly #starts = new Int32Array(MOST_GROUPS + 1);
  readonly #next = new Int32Array(MOST_GROUPS + 1);
  readonly #placements: Map<string, AttemptCounter>[]; // the counters of each placement, by window
  #placement = 0;
  readonly #counted = new Map<string, Int32Array>(); // counts of this block under this placement

  constructor(placements: number) {
    this.#placements = Array.from({ length: placements }, () => new Map());
  }

  /** Sorts a block by client; requests of a client keep their order. Of very many clients, several share a group. */
  group({ count, clients }: Arrivals, steps: Int32Array, clientCount: number): void {
    if (this.clients.length < count) {
      this.clients = new Int32Array(count);
      this.steps = new Int32Array(count);
      this.atUs = new Float64Array(count);
    }
    this.count = count;
    this.clientCount = clientCount;
    let shift = 0;
    while (clientCount >> shift > MOST_GROUPS) shift++;
    this.#shift = shift;
    const groups = (clientCount >> shift) + 1;
    const starts = this.#starts.fill(0, 0, groups);
    for (let i = 0; i < count; i++) starts[clients[i]! >> shift]!++;
    let start = 0;
    for (let group = 0; group < groups; group++) {
      const size = starts[group]!;
      starts[group] = start;
      start += size;
    }
    this.#next.set(starts.subarray(0, groups));
    const next = this.#next;
    const sorted = this.clients;
    const sortedSteps = this.steps;
    for (let i = 0; i < count; i++) {
      const client = clients[i]!;
      const at = next[client >> shift]!++;
      sorted[at] = client;
      sortedSteps[at] = steps[i]!;
    }
  }

  /** Sorts `times`, the times of the block under a placement, into the same order. */
  place(placement: number, { count, clients }: Arrivals, times: Float64Array): void {
    this.#placement = placement;
    this.#counted.clear();
    const shift = this.#shift;
    this.#next.set(this.#starts.subarray(0, (this.clientCount >> shift) + 1));
    const next = this.#next;
    const { atUs } = this;
    for (let i = 0; i < count; i++) atUs[next[clients[i]! >> shift]!++] = times[i]!;
  }

  attemptsWithin(window: AttemptWindow, perUs: number): Int32Array {
    const name = `${window} ${perUs}`;
    let counted = this.#counted.get(name);
    if (counted === undefined) {
      const own = this.#placements[this.#placement]!;
      let counts = own.get(name);
      if (counts === undefined) own.set(name, (counts = attemptCounter(window, perUs)));
      counted = counts.count(this, this.clientCount);
      this.#counted.set(name, counted);
    }
    return counted;
  }
}
