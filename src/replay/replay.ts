// All candidates decide all requests of a log, in one pass and in virtual time.
import { enlargeColumn, type Arrivals } from "./arrivals.ts";
import type { Candidate } from "./candidates.ts";
import type { LogFormat } from "./columns.ts";
import { RequestGroups } from "./groups.ts";
import { OverTime } from "./over-time.ts";
import { AS_LOGGED, placementsFrom, type Placement } from "./placements.ts";
import type { RequestQuestion } from "./requests.ts";
import { RetryTally, type RetryName } from "./retries.ts";
import { Tally } from "./tally.ts";

export interface ReplayQuestion extends RequestQuestion {
  readonly candidates: readonly Candidate[];
  readonly format: LogFormat | null; // null: found for each log
  readonly seed: number;
  readonly retries: RetryName | null; // what refused clients do besides; null: nothing
}

/** A candidate, and what it did under each placement. */
export interface CandidateRun {
  readonly candidate: Candidate;
  readonly tallies: readonly Tally[];
  /** Under the first placement; null: refused clients do not retry. */
  readonly retries: RetryTally | null;
}

export class Replay {
  requests = 0;
  firstUs = 0;
  lastUs = 0;
  requestsOf = new Int32Array(1024); // by the number of the client
  readonly runs: readonly CandidateRun[];
  readonly placements: readonly Placement[];
  readonly overTime: OverTime; // all requests, then those that each candidate refuses under the first placement
  readonly #names: RequestQuestion;
  readonly #needsGroups: boolean;
  readonly #groups: RequestGroups;
  readonly #steps: number[][] = [];
  #stepOf = new Int32Array(0);
  #times = new Float64Array(0);
  #refused = new Int32Array(0); // indexes

  constructor(question: ReplayQuestion, isWholeSeconds: boolean) {
    const { candidates, retries, seed } = question;
    this.#names = question;
    this.placements = isWholeSeconds ? placementsFrom(seed) : [AS_LOGGED];
    this.runs = candidates.map((candidate) => ({
      candidate,
      tallies: this.placements.map(() => new Tally(candidate, question)),
      retries: retries === null ? null : new RetryTally(candidate, question, retries, seed),
    }));
    this.#needsGroups = this.runs.some(({ tallies }) => tallies[0]!.needsGroups);
    this.#groups = new RequestGroups(this.placements.length);
    this.overTime = new OverTime(1 + candidates.length);
  }

  /** The next requests in the order of their arrival. */
  decide(arrivals: Arrivals): void {
    const clients = this.#names.clients.count;
    const { count, atUs } = arrivals;
    if (count === 0) return;
    if (this.requests === 0) this.firstUs = atUs[0]!;
    this.lastUs = atUs[count - 1]!;
    this.requests += count;
    this.#countRequests(arrivals, clients);
    if (this.#times.length < count) {
      this.#times = new Float64Array(count);
      this.#refused = new Int32Array(count);
    }
    const groups = arrivals.charges === undefined && this.#needsGroups ? this.#groups : null;
    groups?.group(arrivals, this.#stepOf, clients);
    const block = {
      arrivals,
      times: this.#times,
      steps: this.#stepOf,
      groups,
      clientCount: clients,
    };
    const refusedIn = new Int32Array(this.#steps.length);
    for (const [index, { place }] of this.placements.entries()) {
      place(arrivals, this.#times);
      groups?.place(index, arrivals, this.#times);
      for (const [number, { tallies, retries }] of this.runs.entries()) {
        if (index === 0) retries?.decide(arrivals, this.#times, this.requestsOf.length);
        refusedIn.fill(0);
        tallies[index]!.decide(block, this.#refused, refusedIn);
        if (index === 0) this.#countRefused(refusedIn, 1 + number);
      }
    }
  }

  /** After the last request: sends the retries that are left. */
  end(): void {
    for (const { tallies, retries } of this.runs) {
      for (const tally of tallies) tally.end();
      retries?.end();
    }
  }

  #countRequests({ count, atUs, clients: ids }: Arrivals, clients: number): void {
    const room = this.requestsOf.length;
    if (clients > room)
      this.requestsOf = enlargeColumn(
        this.requestsOf,
        new Int32Array(Math.max(clients, Math.ceil(1.5 * room))),
      );
    for (let i = 0; i < count; i++) this.requestsOf[ids[i]!]!++;
    for (let i = 0; i < count;) {
      const counts = this.overTime.at(atUs[i]!);
      const first = i;
      i = this.#endOfStep(i, count, atUs);
      counts[0]! += i - first;
    }
    this.#findSteps(count, atUs);
  }

  /** The steps of these requests, which are in the order of time, one after the other from 0. */
  #findSteps(count: number, atUs: Float64Array): void {
    if (this.#stepOf.length < count) this.#stepOf = new Int32Array(count);
    this.#steps.length = 0;
    // The length of a step does not change any more: all requests are counted.
    for (let i = 0; i < count;) {
      this.#steps.push(this.overTime.at(atUs[i]!));
      const first = i;
      i = this.#endOfStep(i, count, atUs);
      this.#stepOf.fill(this.#steps.length - 1, first, i);
    }
  }

  /** The first request after the step that was found last. */
  #endOfStep(from: number, count: number, atUs: Float64Array): number {
    const { endUs } = this.overTime;
    let at = from;
    while (at < count && atUs[at]! < endUs) at++;
    return at;
  }

  #countRefused(refusedIn: Int32Array, series: number): void {
    for (const [step, own] of this.#steps.entries()) own[series]! += refusedIn[step]!;
  }
}
