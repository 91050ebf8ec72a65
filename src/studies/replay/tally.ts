// What one candidate did with the requests of a log: how many it refused, of which clients, and when.
import { enlargeColumn, type Arrivals } from "./arrivals.ts";
import {
  REJECTED,
  type CandidateLimiter,
  type RequestNames,
  type RuleCount,
} from "./candidate-limiter.ts";
import { ChargeMeter } from "./charges.ts";
import type { RequestGroups } from "./groups.ts";
import { startCandidate, type Candidate } from "./candidates.ts";

const FIRST_CLIENTS = 1024;

const meterOf = (candidate: Candidate): ChargeMeter | null =>
  candidate.kind !== "limit" || candidate.charge === undefined
    ? null
    : new ChargeMeter(candidate.limit.perUs);

/** The next requests of a log. */
export interface TimedBlock {
  readonly arrivals: Arrivals; // in the order of time
  readonly times: Float64Array; // under one placement
  readonly steps: Int32Array; // number of the step of each request
  readonly groups: RequestGroups | null; // null: requests have costs
  readonly clientCount: number; // clients in the log until now
}

/** Refused requests, as indexes in these columns. */
interface Refusals {
  readonly indexes: Int32Array;
  readonly count: number;
  readonly clients: Int32Array;
  readonly atUs: Float64Array;
  readonly steps: Int32Array;
}

const columnsOf = ({
  clients,
  atUs,
  steps,
}: RequestGroups): Omit<Refusals, "indexes" | "count"> => ({
  clients,
  atUs,
  steps,
});

/** What a tally has counted, as plain data. */
export type TallyCounts = Pick<
  Tally,
  | "refusedRequests"
  | "refusedClients"
  | "rejectedRequests"
  | "delayedRequests"
  | "longestDelayUs"
  | "firstUs"
  | "lastUs"
  | "ids"
  | "refusedOf"
  | "firstOf"
  | "lastOf"
  | "refusedUnits"
> & {
  readonly meter: Pick<ChargeMeter, "spentUnits" | "mostUnits" | "mostClient" | "mostAtUs"> | null;
};

/** Counts the decisions of a candidate under one placement. */
export class Tally {
  refusedRequests = 0;
  refusedClients = 0;
  rejectedRequests = 0; // before any limit: a world without such an API or key
  delayedRequests = 0;
  longestDelayUs = 0;
  firstUs = -1; // time of the first refusal; -1: none
  lastUs = -1;
  // The next columns have rows for refused clients only, of which there are few.
  ids = new Int32Array(FIRST_CLIENTS);
  refusedOf = new Int32Array(FIRST_CLIENTS);
  firstOf = new Float64Array(FIRST_CLIENTS);
  lastOf = new Float64Array(FIRST_CLIENTS);
  #placeOf = new Int32Array(FIRST_CLIENTS); // for each client its row in these columns, plus 1; 0: none
  refusedUnits = 0; // units of refused requests, if requests have costs
  readonly meter: ChargeMeter | null;
  readonly #limiter: CandidateLimiter;

  constructor(candidate: Candidate, names: RequestNames) {
    this.meter = meterOf(candidate);
    this.#limiter = startCandidate(candidate, names, this.meter);
  }

  /** Whether requests have to be grouped by client. */
  get needsGroups(): boolean {
    return this.#limiter.decideAll !== undefined;
  }

  /** Decides a block, and counts each refusal in `refusedIn` at its step. */
  decide(block: TimedBlock, indexes: Int32Array, refusedIn: Int32Array): void {
    const { arrivals, times, steps, groups, clientCount } = block;
    const room = this.#placeOf.length;
    if (clientCount > room)
      this.#placeOf = enlargeColumn(
        this.#placeOf,
        new Int32Array(Math.max(clientCount, Math.ceil(1.5 * room))),
      );
    const limiter = this.#limiter;
    if (groups === null || limiter.decideAll === undefined) {
      limiter.makeRoom(this.#placeOf.length);
      const count = this.#decideEach(arrivals, times, indexes);
      const { clients } = arrivals;
      this.#noteRefusals({ indexes, count, clients, atUs: times, steps }, refusedIn);
    } else {
      const count = limiter.decideAll(groups, indexes);
      this.#noteRefusals({ ...columnsOf(groups), indexes, count }, refusedIn);
    }
  }

  #decideEach(
    { count, clients, targets, charges }: Arrivals,
    times: Float64Array,
    refused: Int32Array,
  ): number {
    const limiter = this.#limiter;
    const charge = { units: 1, lastsUs: 0 };
    let refusals = 0;
    for (let i = 0; i < count; i++) {
      if (charges !== undefined) {
        charge.units = charges.units[i]!;
        charge.lastsUs = charges.lastsUs[i]!;
      }
      const waitUs = limiter.decide(clients[i]!, targets[i]!, times[i]!, charge);
      if (waitUs > 0) {
        refused[refusals++] = i;
        this.refusedUnits += charge.units;
      } else if (waitUs === REJECTED) this.rejectedRequests++;
      else if (limiter.delayUs !== null) this.#noteDelay(limiter.delayUs());
    }
    return refusals;
  }

  /** Counts refusals. Successive refusals are mostly of one client, whose row is then looked up only once. */
  #noteRefusals({ indexes, count, clients, atUs, steps }: Refusals, refusedIn: Int32Array): void {
    if (count === 0) return;
    const placeOf = this.#placeOf;
    let least = Number.POSITIVE_INFINITY;
    let most = 0;
    for (let i = 0; i < count;) {
      const first = i;
      const id = clients[indexes[i]!]!;
      let at: number;
      do {
        at = indexes[i]!;
        refusedIn[steps[at]!]!++;
        i++;
      } while (i < count && clients[indexes[i]!] === id);
      const firstUs = atUs[indexes[first]!]!;
      const lastUs = atUs[at]!;
      if (firstUs < least) least = firstUs;
      if (lastUs > most) most = lastUs;
      let place = placeOf[id]! - 1;
      if (place < 0) {
        place = this.#add(id, firstUs);
        placeOf[id] = place + 1;
      }
      this.refusedOf[place]! += i - first;
      this.lastOf[place] = lastUs;
    }
    this.refusedRequests += count;
    if (this.firstUs < 0) this.firstUs = least;
    if (most > this.lastUs) this.lastUs = most;
  }

  /** Call after the last request. */
  end(): void {
    this.#limiter.end?.();
  }

  /** The requests of each rule of a configuration; empty: it has no rules. */
  get ruleCounts(): readonly RuleCount[] {
    return this.#limiter.ruleCounts?.() ?? [];
  }

  /** The requests of each target, by its number; empty: the limiter does not count them. */
  get targetCounts(): readonly RuleCount[] {
    return this.#limiter.targetCounts?.() ?? [];
  }

  counts(): TallyCounts {
    const { refusedClients: clients, meter } = this;
    return {
      refusedRequests: this.refusedRequests,
      refusedClients: clients,
      rejectedRequests: this.rejectedRequests,
      delayedRequests: this.delayedRequests,
      longestDelayUs: this.longestDelayUs,
      firstUs: this.firstUs,
      lastUs: this.lastUs,
      ids: this.ids.slice(0, clients),
      refusedOf: this.refusedOf.slice(0, clients),
      firstOf: this.firstOf.slice(0, clients),
      lastOf: this.lastOf.slice(0, clients),
      refusedUnits: this.refusedUnits,
      meter:
        meter === null
          ? null
          : {
              spentUnits: meter.spentUnits,
              mostUnits: meter.mostUnits,
              mostClient: meter.mostClient,
              mostAtUs: meter.mostAtUs,
            },
    };
  }

  /** Adds the counts of another tally, about other clients. */
  add(other: TallyCounts): void {
    const place = this.refusedClients;
    this.refusedClients += other.refusedClients;
    if (this.refusedClients > this.ids.length) this.#enlarge(2 * this.refusedClients);
    this.ids.set(other.ids, place);
    this.refusedOf.set(other.refusedOf, place);
    this.firstOf.set(other.firstOf, place);
    this.lastOf.set(other.lastOf, place);
    this.refusedRequests += other.refusedRequests;
    this.rejectedRequests += other.rejectedRequests;
    this.delayedRequests += other.delayedRequests;
    this.refusedUnits += other.refusedUnits;
    this.longestDelayUs = Math.max(this.longestDelayUs, other.longestDelayUs);
    if (this.firstUs < 0 || (other.firstUs >= 0 && other.firstUs < this.firstUs))
      this.firstUs = other.firstUs;
    this.lastUs = Math.max(this.lastUs, other.lastUs);
    if (this.meter !== null) Object.assign(this.meter, other.meter);
  }

  #noteDelay(delayUs: number): void {
    if (delayUs === 0) return;
    this.delayedRequests++;
    if (delayUs > this.longestDelayUs) this.longestDelayUs = delayUs;
  }

  #add(id: number, atUs: number): number {
    const place = this.refusedClients++;
    if (place === this.ids.length) this.#enlarge(2 * place);
    this.ids[place] = id;
    this.firstOf[place] = atUs;
    return place;
  }

  #enlarge(size: number): void {
    this.ids = enlargeColumn(this.ids, new Int32Array(size));
    this.refusedOf = enlargeColumn(this.refusedOf, new Int32Array(size));
    this.firstOf = enlargeColumn(this.firstOf, new Float64Array(size));
    this.lastOf = enlargeColumn(this.lastOf, new Float64Array(size));
  }
}
