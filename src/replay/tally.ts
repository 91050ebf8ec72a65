// What one candidate did with the requests of a log: how many it refused, of which clients, and when.
import { enlargeColumn, type Arrivals } from "./arrivals.ts";
import { REJECTED, type CandidateLimiter, type RequestNames } from "./candidate-limiter.ts";
import { ChargeMeter } from "./charges.ts";
import { startCandidate, type Candidate } from "./candidates.ts";

const FIRST_CLIENTS = 1024;

const meterOf = (candidate: Candidate): ChargeMeter | null =>
  candidate.kind === "world" || candidate.charge === undefined
    ? null
    : new ChargeMeter(candidate.limit.perUs);

/** Counts of each client under the first placement, as columns by its number. */
export class Tally {
  refusedRequests = 0;
  refusedClients = 0;
  rejectedRequests = 0; // before any limit: a world without such an API or key
  delayedRequests = 0;
  longestDelayUs = 0;
  firstUs = -1; // of a refusal; -1: none
  lastUs = -1;
  refusedOf = new Int32Array(FIRST_CLIENTS);
  firstOf = new Float64Array(FIRST_CLIENTS);
  lastOf = new Float64Array(FIRST_CLIENTS);
  refusedUnits = 0; // if requests have costs
  readonly meter: ChargeMeter | null;
  readonly #limiter: CandidateLimiter;

  constructor(candidate: Candidate, names: RequestNames) {
    this.meter = meterOf(candidate);
    this.#limiter = startCandidate(candidate, names, this.meter);
  }

  /** Decides requests in their order, at these times. `refused` has a 1 for each that is refused. */
  decide(
    { count, clients: ids, targets, charges }: Arrivals,
    times: Float64Array,
    clients: number,
    refused: Uint8Array,
  ): void {
    if (clients > this.refusedOf.length) this.#enlarge(clients);
    const limiter = this.#limiter;
    limiter.makeRoom(this.refusedOf.length);
    const charge = { units: 1, lastsUs: 0 };
    for (let i = 0; i < count; i++) {
      const id = ids[i]!;
      const atUs = times[i]!;
      if (charges !== undefined) {
        charge.units = charges.units[i]!;
        charge.lastsUs = charges.lastsUs[i]!;
      }
      const waitUs = limiter.decide(id, targets[i]!, atUs, charge);
      if (waitUs <= 0) {
        refused[i] = 0;
        if (waitUs === REJECTED) this.rejectedRequests++;
        else if (limiter.delayUs !== null) this.#noteDelay(limiter.delayUs());
        continue;
      }
      refused[i] = 1;
      this.refusedRequests++;
      this.refusedUnits += charge.units;
      if (this.refusedOf[id]!++ === 0) {
        this.refusedClients++;
        this.firstOf[id] = atUs;
      }
      this.lastOf[id] = atUs;
      if (this.firstUs < 0) this.firstUs = atUs;
      this.lastUs = atUs;
    }
  }

  /** After the last request. */
  end(): void {
    this.#limiter.end?.();
  }

  #noteDelay(delayUs: number): void {
    if (delayUs === 0) return;
    this.delayedRequests++;
    if (delayUs > this.longestDelayUs) this.longestDelayUs = delayUs;
  }

  #enlarge(clients: number): void {
    const size = Math.max(clients, 2 * this.refusedOf.length);
    this.refusedOf = enlargeColumn(this.refusedOf, new Int32Array(size));
    this.firstOf = enlargeColumn(this.firstOf, new Float64Array(size));
    this.lastOf = enlargeColumn(this.lastOf, new Float64Array(size));
  }
}
