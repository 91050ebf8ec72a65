// What one candidate did with the requests of a log: how many it refused, of which clients, and when.
import type { Client } from "../core/client.ts";
import type { Arrivals } from "./arrivals.ts";
import { startCandidate, type Candidate, type CandidateLimiter } from "./candidates.ts";

const FIRST_CLIENTS = 1024;

/** Counts of each client under the first placement, as columns by its number. */
export class Tally {
  refusedRequests = 0;
  refusedClients = 0;
  delayedRequests = 0;
  longestDelayUs = 0;
  firstUs = -1; // of a refusal; -1: none
  lastUs = -1;
  refusedOf = new Int32Array(FIRST_CLIENTS);
  firstOf = new Float64Array(FIRST_CLIENTS);
  lastOf = new Float64Array(FIRST_CLIENTS);
  readonly #limiter: CandidateLimiter;

  constructor(candidate: Candidate) {
    this.#limiter = startCandidate(candidate);
  }

  /** Decides requests in their order, at these times. `refused` has a 1 for each that is refused. */
  decide(
    { count, clients: ids }: Arrivals,
    times: Float64Array,
    clients: readonly Client[],
    refused: Uint8Array,
  ): void {
    if (clients.length > this.refusedOf.length) this.#enlarge(clients.length);
    const limiter = this.#limiter;
    limiter.makeRoom(this.refusedOf.length);
    for (let i = 0; i < count; i++) {
      const id = ids[i]!;
      const atUs = times[i]!;
      if (limiter.decide(id, clients[id]!, atUs) === 0) {
        refused[i] = 0;
        if (limiter.delayUs !== null) this.#noteDelay(limiter.delayUs());
        continue;
      }
      refused[i] = 1;
      this.refusedRequests++;
      if (this.refusedOf[id]!++ === 0) {
        this.refusedClients++;
        this.firstOf[id] = atUs;
      }
      this.lastOf[id] = atUs;
      if (this.firstUs < 0) this.firstUs = atUs;
      this.lastUs = atUs;
    }
  }

  #noteDelay(delayUs: number): void {
    if (delayUs === 0) return;
    this.delayedRequests++;
    if (delayUs > this.longestDelayUs) this.longestDelayUs = delayUs;
  }

  #enlarge(clients: number): void {
    const size = Math.max(clients, 2 * this.refusedOf.length);
    const refusedOf = new Int32Array(size);
    refusedOf.set(this.refusedOf);
    this.refusedOf = refusedOf;
    const firstOf = new Float64Array(size);
    firstOf.set(this.firstOf);
    this.firstOf = firstOf;
    const lastOf = new Float64Array(size);
    lastOf.set(this.lastOf);
    this.lastOf = lastOf;
  }
}
