// What one candidate did with the requests of a log: how many it refused, of which clients, and when.
import type { Client } from "../core/client.ts";
import type { Arrivals } from "./arrivals.ts";
import { startCandidate, type Candidate, type Decide } from "./candidates.ts";

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
  readonly #decide: Decide;

  constructor(candidate: Candidate) {
    this.#decide = startCandidate(candidate);
  }

  /** Decides requests in their order, at these times. `refused` has a 1 for each that is refused. */
  decide(
    { count, clients: ids }: Arrivals,
    times: Float64Array,
    clients: readonly Client[],
    refused: Uint8Array,
  ): void {
    if (clients.length > this.refusedOf.length) this.#enlarge(clients.length);
    const decide = this.#decide;
    for (let i = 0; i < count; i++) {
      const id = ids[i]!;
      const atUs = times[i]!;
      const decision = decide(clients[id]!, atUs);
      if (decision.refused === null) {
        refused[i] = 0;
        if (decision.delayUs === 0) continue;
        this.delayedRequests++;
        if (decision.delayUs > this.longestDelayUs) this.longestDelayUs = decision.delayUs;
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
